/** A token's distribution whose service is killed by itself, chain and all, at what a run records. */
import { Keypair } from '@solana/web3.js';
import { expect } from 'vitest';
import { folderForTheFile } from './after-the-file.ts';
import {
  addressOfKey,
  DISTRIBUTION_ENVIRONMENT,
  type DistributionJourney,
  type DistributionJourneyOptions,
  expectBooksToAgree,
  expectNothingFound,
  expectPaidOnChain,
  openDistributionJourney,
} from './distribution-journey.ts';
import { runUntilKilled } from './killed-service.ts';
import { startServiceProcess } from './service-process.ts';

export interface Kill {
  /** `before`, `after` or `soon`, an event type and perhaps a purpose, with colons between. */
  readonly at: string;
  /** Milliseconds, with `soon`. */
  readonly delay?: number;
  /** Called once the service listens. */
  readonly begin?: () => Promise<unknown>;
}

export interface KilledJourney {
  readonly journey: DistributionJourney;
  readonly folder: string;
  untilKilled(kill: Kill): Promise<void>;
}

/** The token has holders, and its service is stopped. */
export async function openKilledJourney(options: DistributionJourneyOptions): Promise<KilledJourney> {
  const folder = await folderForTheFile();
  const first = await startServiceProcess(DISTRIBUTION_ENVIRONMENT, { folder });
  const journey = await openDistributionJourney(first, options);
  await journey.untilFinal();
  await first.stop();
  return {
    journey,
    folder,
    untilKilled: ({ at, delay = 0, begin }) =>
      runUntilKilled(
        at,
        { ...DISTRIBUTION_ENVIRONMENT, KILL_DELAY: String(delay) },
        { folder },
        async (service) => {
          journey.moveTo(service);
          await begin?.();
        },
      ),
  };
}

const firstOf = (holders: readonly Keypair[]): Keypair => holders[0] ?? Keypair.generate();

/** A run whose service is killed at each of these, chain and all; then every wallet has what it is due, once. */
export async function expectOneRunAcross(kills: readonly Kill[], holders: number): Promise<void> {
  const { journey, folder, untilKilled } = await openKilledJourney({ holders });
  const [first, ...others] = kills;
  if (first !== undefined) await untilKilled({ ...first, begin: () => journey.askForRun() });
  for (const kill of others) await untilKilled(kill);

  journey.moveTo(await startServiceProcess(DISTRIBUTION_ENVIRONMENT, { folder }));
  const run = await journey.closedRun(1, { seconds: 90 });
  const payments = await journey.paymentsOf(run.runId);
  expectBooksToAgree(run, payments);
  const paid = payments.filter(({ paid }) => paid !== '0');
  expect(run.paymentCount).toBe(paid.length);
  expect(run.walletsPaid).toBe(paid.filter(({ kind }) => kind === 'holder').length);
  const wallets = [...journey.holders.map(addressOfKey), journey.developer];
  await expectPaidOnChain(journey, payments, wallets);
  expect((await journey.runs()).map(({ number }) => number)).toEqual([1]);
  // Loans and debts are stored where the next run reads them.
  await journey.trade(firstOf(journey.holders), journey.developer, 1_000_000_000_000n);
  await journey.askForRun();
  const second = await journey.closedRun(2, { seconds: 90 });
  expect(second.amounts).toMatchObject({ owed: run.amounts.owedAfter, dust: run.amounts.dustAfter });
  const later = await journey.paymentsOf(second.runId);
  expectBooksToAgree(second, later);
  await expectPaidOnChain(journey, [...payments, ...later], wallets);
  await expectNothingFound(journey);
}
