/** The real process is killed (SIGKILL) before, at and after everything that a run records; then every wallet has what it is due, once. */
import { Keypair } from '@solana/web3.js';
import { expect, test, vi } from 'vitest';
import { expectAudited } from '../../support/audited-distribution.ts';
import {
  addressOfKey,
  DISTRIBUTION_ENVIRONMENT,
  expectBooksToAgree,
  expectNothingFound,
  expectPaidOnChain,
} from '../../support/distribution-journey.ts';
import { type Kill, openKilledJourney } from '../../support/killed-distribution.ts';
import { startServiceProcess } from '../../support/service-process.ts';

// Each test starts several processes.
vi.setConfig({ testTimeout: 600_000 });

/** In their order within the first run of a token. */
const RECORDED = [
  'RunOpened',
  'LinksRecorded:begin',
  'LinksLanded:begin',
  'HoldersScanned',
  'TaxCollected',
  'LinksRecorded:split',
  'LinksLanded:split',
  'TaxSplit',
  'RunAllotted',
  'LinksRecorded:open',
  'LinksLanded:open',
  'RoundRecorded',
  'BatchesSettled',
  'LinksRecorded:close',
  'LinksLanded:close',
  'RunClosed',
];

/** What is sent after it was recorded. */
const SENT_AFTER = [
  'RunOpened',
  'LinksRecorded:begin',
  'HoldersScanned',
  'LinksRecorded:split',
  'LinksRecorded:open',
  'RoundRecorded',
  'LinksRecorded:close',
];

const firstOf = (holders: readonly Keypair[]): Keypair => holders[0] ?? Keypair.generate();

/** A run of a token with many holders, whose service is killed again and again, chain and all. */
async function expectOneRunAcross(kills: readonly Kill[]): Promise<void> {
  const { journey, folder, untilKilled } = await openKilledJourney({ holders: 140 });
  const [first, ...others] = kills;
  if (first !== undefined) await untilKilled({ ...first, begin: () => journey.askForRun() });
  for (const kill of others) await untilKilled(kill);

  journey.moveTo(await startServiceProcess(DISTRIBUTION_ENVIRONMENT, { folder }));
  const run = await journey.closedRun(1, { seconds: 90 });
  const payments = await journey.paymentsOf(run.runId);
  expectBooksToAgree(run, payments);
  expect(run.walletsPaid).toBe(payments.filter(({ paid }) => paid !== '0').length);
  const wallets = [...journey.holders.map(addressOfKey), journey.developer];
  await expectPaidOnChain(journey, payments, wallets);
  expect((await journey.runs()).map(({ number }) => number)).toEqual([1]);
  // What was lent and what is owed is where the next run looks for it.
  await journey.trade(firstOf(journey.holders), journey.developer, 1_000_000_000_000n);
  await journey.askForRun();
  const second = await journey.closedRun(2, { seconds: 90 });
  expect(second.amounts).toMatchObject({ owed: run.amounts.owedAfter, dust: run.amounts.dustAfter });
  const later = await journey.paymentsOf(second.runId);
  expectBooksToAgree(second, later);
  await expectPaidOnChain(journey, [...payments, ...later], wallets);
  await expectAudited(journey);
  await expectNothingFound(journey);
}

test.concurrent('a service that is killed before and after everything that a run records pays everybody once', () =>
  expectOneRunAcross(RECORDED.flatMap((type) => [{ at: `before:${type}` }, { at: `after:${type}` }])));

test.concurrent('a service that is killed while it sends pays everybody once', () =>
  expectOneRunAcross(SENT_AFTER.map((type, index) => ({ at: `soon:${type}`, delay: 40 * index }))));
