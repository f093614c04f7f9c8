/** The real process is killed (SIGKILL) before, at and after everything that a run records; then every wallet has what it is due, once. */
import { fileURLToPath } from 'node:url';
import { Keypair } from '@solana/web3.js';
import { expect, test, vi } from 'vitest';
import { folderForTheFile } from '../../support/after-the-file.ts';
import {
  addressOfKey,
  DISTRIBUTION_ENVIRONMENT,
  expectBooksToAgree,
  expectPaidOnChain,
  openDistributionJourney,
} from '../../support/distribution-journey.ts';
import { startServiceProcess } from '../../support/service-process.ts';

// Each test starts several processes.
vi.setConfig({ testTimeout: 600_000 });

const KILLING = ['--import', 'tsx', fileURLToPath(new URL('../../support/killing-main.ts', import.meta.url))];
/** Milliseconds until a service that was to kill itself is ended otherwise. */
const PATIENCE = 60_000;

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

interface Kill {
  readonly at: string;
  /** Milliseconds. */
  readonly delay?: number;
}

/** A run of a token with many holders, whose service is killed again and again, chain and all. */
async function expectOneRunAcross(kills: readonly Kill[]): Promise<void> {
  const folder = await folderForTheFile();
  const first = await startServiceProcess(DISTRIBUTION_ENVIRONMENT, { folder });
  const journey = await openDistributionJourney(first, { holders: 140 });
  await journey.untilFinal();
  await first.stop();

  for (const [index, { at, delay = 0 }] of kills.entries()) {
    const environment = { ...DISTRIBUTION_ENVIRONMENT, KILL_AT: at, KILL_DELAY: String(delay) };
    const service = await startServiceProcess(environment, { folder, program: KILLING }).catch(
      (error: unknown) => {
        expect(String(error), `killed ${at} before it listened`).toMatch(/ended with null/);
        return undefined;
      },
    );
    if (service === undefined) continue;
    journey.moveTo(service);
    const overdue = setTimeout(() => service.child.kill('SIGTERM'), PATIENCE);
    if (index === 0) await journey.askForRun().catch(() => undefined);
    const { signal, stderr } = await service.ended;
    clearTimeout(overdue);
    expect(signal, `killed ${at}: ${stderr}`).toBe('SIGKILL');
  }

  const last = await startServiceProcess(DISTRIBUTION_ENVIRONMENT, { folder });
  journey.moveTo(last);
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
}

test.concurrent('a service that is killed before and after everything that a run records pays everybody once', () =>
  expectOneRunAcross(RECORDED.flatMap((type) => [{ at: `before:${type}` }, { at: `after:${type}` }])));

test.concurrent('a service that is killed while it sends pays everybody once', () =>
  expectOneRunAcross(SENT_AFTER.map((type, index) => ({ at: `soon:${type}`, delay: 40 * index }))));
