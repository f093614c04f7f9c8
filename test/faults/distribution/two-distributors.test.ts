/** Two distributors at once on one chain, of which one stands still in mid-run and wakes when the other has finished: nobody is paid twice. */
import { cp } from 'node:fs/promises';
import { addressBytes } from 'levy-solana-wire';
import { expect, test, vi } from 'vitest';
import { folderForTheFile } from '../../support/after-the-file.ts';
import { openChainProxy, sentBy } from '../../support/chain-proxy.ts';
import { fund } from '../../support/creator.ts';
import {
  addressOfKey,
  type DistributionJourney,
  expectAllToAgree,
  expectNothingFound,
  expectPaidOnChain,
  findingsOf,
  openDistributionJourney,
} from '../../support/distribution-journey.ts';
import { openDistributionChain, whenPaying, whenSending } from '../../support/distribution-on-chain.ts';
import { startEventStoreStandIn } from '../../support/event-store-stand-in/server.ts';
import { eventually } from '../../support/eventually.ts';
import { UNRECORDED_LINK } from '../../support/full-audit.ts';
import { ofTheFile } from '../../support/lifetime.ts';
import { type ServiceProcess, startServiceProcess } from '../../support/service-process.ts';
import { openSeveralProcesses } from '../../support/several-processes.ts';

vi.setConfig({ testTimeout: 240_000 });

const HOLDERS = 40;

interface Ready {
  readonly checks: readonly { readonly name: string; readonly state?: string }[];
}

function walletsPaid(journey: DistributionJourney): readonly string[] {
  return [...journey.holders.map(addressOfKey), journey.developer];
}

/** The one that is halted has recorded nothing that is not so: an audit of it finds the links that the other has signed, and nothing else. */
async function expectOnlyMissingLinks(journey: DistributionJourney): Promise<void> {
  await journey.untilFinal();
  const findings = await findingsOf(journey);
  const missing = findings.filter(({ what }) => what === UNRECORDED_LINK).map(({ signature }) => signature);
  expect(missing).not.toEqual([]);
  expect(findings.filter(({ signature }) => !missing.includes(signature))).toEqual([]);
}

test.each([
  ['while it sells'],
  ['at its first link'],
])('two copies of one log, of which one stands still %s', async (moment) => {
  const { url, proxy, keyring, environment } = await openDistributionChain();
  const first = await startServiceProcess(environment);
  const journey = await openDistributionJourney({ url: first.url, chainUrl: url }, { holders: HOLDERS });
  await journey.untilFinal();
  await first.stop();
  const copy = await folderForTheFile();
  await cp(first.folder, copy, { recursive: true });
  const frozen = await startServiceProcess(environment, { folder: first.folder });
  const desk = Buffer.from(addressBytes(keyring.desk.address));
  const sending = whenSending(proxy, (wire) => moment === 'at its first link' || wire.includes(desk));
  journey.moveTo({ url: frozen.url, chainUrl: url });
  await journey.askForRun();
  const letGo = await sending;
  frozen.child.kill('SIGSTOP');

  const other = await startServiceProcess({ ...environment, CHAIN_URL: url }, { folder: copy });
  journey.moveTo({ url: other.url, chainUrl: url });
  await journey.askForRun();
  await journey.closedRun(1);
  const payments = await expectAllToAgree(journey);
  const wallets = walletsPaid(journey);
  await expectPaidOnChain(journey, payments, wallets);

  // Its signed transactions arrive now, and its next steps are added to them.
  letGo();
  frozen.child.kill('SIGCONT');
  journey.moveTo({ url: frozen.url, chainUrl: url });
  await eventually('the other copy is halted, since the chain went on without it', async () => {
    const { code } = (await journey.tax()).waitingFor;
    return code === 'CHAIN_AHEAD_OF_LOG';
  });
  await expectOnlyMissingLinks(journey);
  journey.moveTo({ url: other.url, chainUrl: url });
  await expectNothingFound(journey);
  await expectPaidOnChain(journey, payments, wallets);
});

test('two processes on one log, of which the one that pays stands still until the other has taken its lease and finished', async () => {
  const standIn = await startEventStoreStandIn({ lifetime: ofTheFile });
  const several = await openSeveralProcesses({
    eventStoreUrl: standIn.url,
    environment: { NONCE_ACCOUNTS_MIN: '1' },
  });
  const { chainUrl: url, keyring } = several;
  await fund(url, keyring.desk.address, 10_000_000_000);
  const api = await several.start('api,projector,settler');
  const journey = await openDistributionJourney({ url: api.url, chainUrl: url }, { holders: HOLDERS });
  const proxy = await openChainProxy(url);
  const holds = async ({ url: own }: ServiceProcess) => {
    const { checks } = (await (await fetch(`${own}/ready`)).json()) as Ready;
    return checks.find(({ name }) => name === 'role distributor')?.state === 'held';
  };
  const frozen = await several.start('distributor', { environment: { CHAIN_URL: proxy.url } });
  await eventually('the first distributes', () => holds(frozen));
  const other = await several.start('distributor');

  // Until now it could not even simulate a payment: a run that is asked for at once is opened all the same.
  await fund(url, keyring.distributor.address, 10_000_000_000);
  const paying = whenPaying(proxy);
  await journey.askForRun();
  const letGo = await paying;
  frozen.child.kill('SIGSTOP');
  letGo();
  await journey.closedRun(1);
  expect(await holds(other)).toBe(true);
  const payments = await expectAllToAgree(journey);
  const wallets = walletsPaid(journey);
  await expectPaidOnChain(journey, payments, wallets);

  const asked = proxy.asked.length;
  frozen.child.kill('SIGCONT');
  await eventually('the first stands by', async () => !(await holds(frozen)));
  await journey.untilFinal();
  expect(proxy.asked.slice(asked).filter((call) => sentBy(call) !== undefined)).toEqual([]);
  await expectNothingFound(journey);
  await expectPaidOnChain(journey, payments, wallets);
});
