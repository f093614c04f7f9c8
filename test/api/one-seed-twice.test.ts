/** Two services with one seed and a log each take each other's nonces: who drafts after the other reports it, and stays in service. */
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderForTheFile } from '../support/after-the-file.ts';
import { openCreator } from '../support/creator.ts';
import { eventually } from '../support/eventually.ts';
import { allAtRest, openServiceOnChain, openTestChain, readiness } from '../support/service-on-chain.ts';

/** Nothing is distributed here. */
const UNPREPARED = ['distributor', 'distributions'];

test('a second service with the same seed is noticed by the first when it drafts', async () => {
  const chain = await openTestChain();
  // One account, so that both use it.
  const environment = { NONCE_ACCOUNTS_MIN: '1', NONCE_ACCOUNTS_MAX: '1' };
  const on = { nodeUrl: chain.url, chainUrl: chain.url, environment };
  const first = await openServiceOnChain(on);
  const creator = await openCreator(first, { sol: 20 });
  await creator.createToken();
  await allAtRest(first.url);
  expect((await readiness(first.url)).failing).toEqual(UNPREPARED);

  const folder = await folderForTheFile();
  for (const secret of ['master-seed', 'jwt-key.json'])
    await copyFile(join(first.folder, secret), join(folder, secret));
  const second = await openServiceOnChain({ ...on, folder, lamports: 0 });
  const other = await openCreator(second, { sol: 20 });
  await other.createToken();
  await allAtRest(second.url);
  expect((await readiness(second.url)).failing).toEqual(UNPREPARED);

  await eventually('the first has a draft on the account again', async () => {
    await creator.draft();
    return true;
  });
  const seen = await readiness(first.url);
  expect([seen.status, seen.failing]).toEqual([200, ['master seed', ...UNPREPARED]]);
  expect(first.logged.map(({ msg }) => msg)).toContainEqual(expect.stringContaining('the same master seed'));
});
