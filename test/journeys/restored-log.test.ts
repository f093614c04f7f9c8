/** An event log put back from an older copy, while the chain went on: the service learns what it can, and works at once. */
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderForTheFile } from '../support/after-the-file.ts';
import { type Creator, openCreator } from '../support/creator.ts';
import { onNonces, tellOfSkippedNonces } from '../support/draft-kind.ts';
import { eventually } from '../support/eventually.ts';
import type { Environment } from '../support/service.ts';
import {
  allAtRest,
  openServiceOnChain,
  openTestChain,
  readiness,
  type ServiceOnChain,
} from '../support/service-on-chain.ts';
import { freeAsOnChain, freeValue, nonceValueOnChain } from '../support/settling.ts';

const ACCOUNTS = 3;

/** The notary stops on a log that was put back, as it must. */
const WITHOUT_NOTARY = 'api,projector,settler,publisher,distributor';

/** As many drafts at a time as there are accounts, all of them submitted: every account has another value then. */
async function useEveryAccount(creator: Creator): Promise<void> {
  const drafts = [];
  for (let count = 0; count < ACCOUNTS; count += 1) drafts.push(await creator.draft());
  for (const draft of drafts) expect(await creator.submit(draft)).toMatchObject({ success: true });
}

async function nonceAccountsOf(service: ServiceOnChain): Promise<readonly string[]> {
  const events = await service.events();
  return events.flatMap(({ type, data }) => (type === 'NonceAccountOpened' ? [String(data.account)] : []));
}

interface Restored {
  readonly chainUrl: string;
  readonly service: ServiceOnChain;
}

/** A service on a log from before every one of its nonce accounts was used once more. */
async function openRestored(environment: Environment = {}): Promise<Restored> {
  const { url: chainUrl } = await openTestChain();
  const open = (folder?: string) =>
    openServiceOnChain({
      nodeUrl: chainUrl,
      chainUrl,
      environment: { NONCE_ACCOUNTS_MIN: String(ACCOUNTS), ROLES: WITHOUT_NOTARY, ...environment },
      ...(folder === undefined ? {} : { folder }),
    });
  const first = await open();
  const { folder } = first;
  await eventually(
    'all accounts are opened',
    async () => (await readiness(first.url)).submissions.nonceAccounts === ACCOUNTS,
  );
  await useEveryAccount(await openCreator(first));
  await allAtRest(first.url);
  const known = await nonceAccountsOf(first);
  expect(known).toHaveLength(ACCOUNTS);
  await first.close();

  const copy = await folderForTheFile();
  await cp(join(folder, 'levy.db'), join(copy, 'levy.db'));
  const second = await open(folder);
  await useEveryAccount(await openCreator(second));
  await allAtRest(second.url);
  await second.close();

  for (const suffix of ['', '-wal', '-shm']) await rm(join(folder, `levy.db${suffix}`), { force: true });
  await cp(join(copy, 'levy.db'), join(folder, 'levy.db'));
  const third = await open(folder);
  for (const account of known) {
    // What this is about: the log would lend values that are spent.
    expect(await freeValue(third, account)).not.toBe(await nonceValueOnChain(chainUrl, account));
  }
  return { chainUrl, service: third };
}

async function expectAllAsOnChain({ chainUrl, service }: Restored): Promise<void> {
  await allAtRest(service.url);
  for (const account of await nonceAccountsOf(service)) await freeAsOnChain(service, chainUrl, account);
}

tellOfSkippedNonces(2);

test.skipIf(!onNonces)(
  'tokens are created at once after the log was put back, and every nonce account comes to the value that it has on the chain',
  async () => {
    const restored = await openRestored();
    const { service } = restored;
    await useEveryAccount(await openCreator(service));
    await expectAllAsOnChain(restored);
    await useEveryAccount(await openCreator(service));
    expect(service.logged.filter(({ level }) => level >= 50)).toEqual([]);
  },
);
