import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { DistributionOverview } from '../../../../src/distribution/services.ts';
import { createMetrics } from '../../../../src/operations/metrics/metrics.ts';
import type { MeasuredState } from '../../../../src/operations/metrics/state-metrics.ts';
import { NO_DISTRIBUTIONS } from '../../../../src/projections/distribution-totals.ts';
import { NONE_HALTED } from '../../../support/distribution-document.ts';
import { type Exposition, readExposition } from '../../../support/exposition.ts';
import { projectionStatus } from '../../../support/projection-status.ts';

const NOW = new Date('2026-05-04T10:00:00.000Z');
const since = '2026-05-04T09:00:00.000Z';

const AT_REST = {
  clock: { now: () => NOW },
  following: { end: async () => '7' },
  projector: { status: () => [] },
  workload: {
    drafts: async () => ({ open: 3, submitted: 2, confirmed: 1 }),
    nonceAccounts: async () => ({ known: 9, leased: 6, free: 3 }),
    submissions: async () => ({
      toSettle: 0,
      oldestAcceptedAt: undefined,
      flooded: 0,
      unknown: 0,
      overdue: undefined,
    }),
  },
  nonceAccountsMax: 100,
  repetitions: () => ({}),
  feePayer: { balance: async () => 5_000_000_000n, floor: 10_000_000n },
  eventFeed: { status: () => ({ state: 'idle', subscribers: 0 }) },
} satisfies MeasuredState;

async function exposed(state: Partial<MeasuredState>): Promise<Exposition> {
  const metrics = createMetrics({ version: '1' });
  metrics.watch({ ...AT_REST, ...state });
  return readExposition((await metrics.text()).body);
}

test('who writes shared read models, and since when nothing was seen of it, is shown where they are shared', async () => {
  const alone = await exposed({});
  expect(alone.value('levy_read_model_writer_silent_seconds')).toBeUndefined();
  const shared = await exposed({ readModelWriter: () => ({ silentFor: 1_500 }) });
  expect(shared.value('levy_read_model_writer_silent_seconds')).toBe(1.5);
});

describe('projections', () => {
  test('that are behind are as late as the event that they handled last is old', async () => {
    const { value } = await exposed({
      projector: {
        status: () => [
          projectionStatus({ name: 'late', position: '5', lastEventAt: '2026-05-04T09:59:30.500Z' }),
          // However old its last event is: it has handled everything.
          projectionStatus({ name: 'done', lastEventAt: '2026-05-04T09:00:00.000Z' }),
          projectionStatus({ name: 'new', position: '', state: 'building' }),
          projectionStatus({
            name: 'broken',
            position: '6',
            state: 'failed',
            lastEventAt: '2026-05-04T09:00:00.000Z',
          }),
        ],
      },
    });
    const of = (metric: string) =>
      ['late', 'done', 'new', 'broken'].map((name) =>
        value(`levy_projection_${metric}`, { projection: name }),
      );
    expect(of('behind')).toEqual([1, 0, 1, 1]);
    expect(of('lag_seconds')).toEqual([29.5, 0, 0, 3_600]);
    expect(of('stopped')).toEqual([0, 0, 0, 1]);
  });
});

test('what is under way is counted by state', async () => {
  const { value } = await exposed({
    workload: {
      ...AT_REST.workload,
      submissions: async () => ({
        toSettle: 4,
        oldestAcceptedAt: '2026-05-04T09:55:00.000Z',
        flooded: 3,
        unknown: 2,
        overdue: {
          count: 2,
          oldest: {
            transactionId: 'one',
            acceptedAt: '2026-05-04T09:55:00.000Z',
            deadline: '2026-05-04T09:56:00.000Z',
          },
        },
      }),
    },
  });
  const drafts = ['open', 'submitted', 'confirmed'].map((state) => value('levy_drafts', { state }));
  expect(drafts).toEqual([3, 2, 1]);
  const accounts = ['known', 'leased', 'free'].map((state) => value('levy_nonce_accounts', { state }));
  expect(accounts).toEqual([9, 6, 3]);
  expect(value('levy_nonce_accounts_maximum')).toBe(100);
  expect(value('levy_settler_queue_length')).toBe(4);
  expect(value('levy_settler_oldest_submission_age_seconds')).toBe(300);
  expect(value('levy_settler_overdue_submissions')).toBe(2);
  expect(value('levy_settler_flooded_histories')).toBe(3);
  expect(value('levy_settler_unknown_outcomes')).toBe(2);
});

test('the oldest submission is no age old when there is none', async () => {
  const { value } = await exposed({});
  expect(value('levy_settler_queue_length')).toBe(0);
  expect(value('levy_settler_oldest_submission_age_seconds')).toBe(0);
  expect(value('levy_settler_overdue_submissions')).toBe(0);
});

test('a role is held by this process or not, and can be in trouble either way', async () => {
  const { value } = await exposed({
    leases: () => [
      { name: 'settler', state: 'held', error: undefined },
      { name: 'publisher', state: 'waiting', error: 'the store does not answer' },
    ],
  });
  expect(['settler', 'publisher'].map((role) => value('levy_lease_held', { role }))).toEqual([1, 0]);
  expect(['settler', 'publisher'].map((role) => value('levy_lease_failing', { role }))).toEqual([0, 1]);
});

test('background loops tell whether they work, and when they last did', async () => {
  const { value } = await exposed({
    repetitions: () => ({
      good: {
        status: () => ({ since, lastSuccess: '2026-05-04T09:59:59.000Z', error: undefined, pause: 0 }),
      },
      bad: { status: () => ({ since, lastSuccess: undefined, error: 'it fails', pause: 0 }) },
    }),
  });
  expect(value('levy_loop_failing', { loop: 'good' })).toBe(0);
  expect(value('levy_loop_failing', { loop: 'bad' })).toBe(1);
  const last = (loop: string) => value('levy_loop_last_success_timestamp_seconds', { loop });
  expect([last('good'), last('bad')]).toEqual([Date.parse('2026-05-04T09:59:59.000Z') / 1_000, undefined]);
});

test('subscribers are counted, and whether the feed still tells them anything is told', async () => {
  const { value } = await exposed({ eventFeed: { status: () => ({ state: 'running', subscribers: 5 }) } });
  expect([value('levy_event_subscribers'), value('levy_event_feed_stopped')]).toEqual([5, 0]);
  const failed = await exposed({ eventFeed: { status: () => ({ state: 'failed', subscribers: 0 }) } });
  expect(failed.value('levy_event_feed_stopped')).toBe(1);
});

describe('publishing', () => {
  const WORKING = 'levy_publisher_working';
  const LAG = 'levy_publisher_lag_seconds';
  const STORED = 'levy_published_messages_total';
  const figures = async (
    running?: { readonly state: string; readonly position: string | undefined },
    since?: string,
  ) => {
    const { value } = await exposed({
      publisher: {
        status: () => ({ stored: 12_345 }),
        running: () => running && { status: () => running, unpublishedSince: async () => since },
      },
    });
    return [WORKING, LAG, STORED].map((name) => value(name));
  };

  test('is as late as the oldest outcome that waits is old', async () => {
    const late = figures({ state: 'waiting', position: '5' }, '2026-05-04T09:59:30.500Z');
    expect(await late).toEqual([0, 29.5, 12_345]);
    expect(await figures({ state: 'publishing', position: '7' })).toEqual([1, 0, 12_345]);
  });

  test('tells no lateness that nobody knows', async () => {
    const unknown = figures({ state: 'connecting', position: undefined });
    expect(await unknown).toEqual([0, undefined, 12_345]);
  });

  test('that another process does is not told by this one', async () => {
    expect(await figures()).toEqual([undefined, undefined, 12_345]);
    const { value } = await exposed({});
    expect([WORKING, STORED].map((name) => value(name))).toEqual([undefined, undefined]);
  });
});

describe('a part that cannot be asked', () => {
  test('is left out and counted, and the others are told', async () => {
    let answers = true;
    const metrics = createMetrics({ version: '1' });
    metrics.watch({
      ...AT_REST,
      feePayer: {
        ...AT_REST.feePayer,
        balance: async () => (answers ? 7n : Promise.reject(new Error('the chain is silent'))),
      },
    });
    const read = async () => readExposition((await metrics.text()).body);
    expect((await read()).value('levy_fee_payer_balance_lamports')).toBe(7);
    answers = false;
    const { value } = await read();
    expect(value('levy_fee_payer_balance_lamports')).toBeUndefined();
    expect(value('levy_fee_payer_floor_lamports')).toBe(10_000_000);
    expect(value('levy_scrape_failures_total', { part: 'fee payer' })).toBe(1);
    expect(value('levy_nonce_accounts', { state: 'known' })).toBe(9);
  });

  test('holds nobody up for long', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const read = exposed({ feePayer: { ...AT_REST.feePayer, balance: () => new Promise(() => undefined) } });
    await vi.advanceTimersByTimeAsync(2_000);
    const { value } = await read;
    expect(value('levy_scrape_failures_total', { part: 'fee payer' })).toBe(1);
    expect(value('levy_drafts', { state: 'open' })).toBe(3);
  });
});

test('readers at the same moment cost as much as one', async () => {
  let asked = 0;
  const metrics = createMetrics({ version: '1' });
  metrics.watch({
    ...AT_REST,
    feePayer: {
      ...AT_REST.feePayer,
      async balance() {
        asked += 1;
        return 1n;
      },
    },
  });
  const texts = await Promise.all(Array.from({ length: 20 }, () => metrics.text()));
  expect(new Set(texts).size).toBe(1);
  expect(asked).toBe(1);
  await metrics.text();
  expect(asked).toBe(2);
});

describe('distributions', () => {
  const watch = {
    look: async () => ({
      totals: {
        ...NO_DISTRIBUTIONS,
        runsOpened: 5,
        runs: 3,
        skips: { 'no-market': 2 },
        payments: 122,
        collected: '18446744073709551615',
        paidTo: { ...NO_DISTRIBUTIONS.paidTo, holders: { sol: '7', token: '8' } },
        owed: { sol: '9', token: '10' },
        fees: '25000',
      },
      halted: { ...NONE_HALTED, OPERATOR: 1, BOOKS_DISAGREE: 2 },
      haltedTokens: [],
      allHaltedSince: since,
    }),
  };
  const distributing = (overview: Partial<DistributionOverview> | undefined) => ({
    distributions: watch,
    openRuns: { look: async () => ({ counts: new Map(), oldest: new Map(), waits: [], stuck: [] }) },
    distributionProgress: () =>
      overview && {
        of: () => undefined,
        opening: () => [],
        overview: () => ({
          oldestDue: undefined,
          unsettled: { batches: 0, since: undefined },
          chainUnsuitable: undefined,
          witness: undefined,
          ...overview,
        }),
      },
    distributor: { balance: async () => 49n, floor: 50n },
  });

  test('are measured by running sums, the same at every look', async () => {
    const metrics = createMetrics({ version: '1' });
    metrics.watch({ ...AT_REST, ...distributing(undefined) });
    await metrics.text();
    const { value } = readExposition((await metrics.text()).body);
    expect(['opened', 'closed'].map((step) => value('levy_distribution_runs_total', { step }))).toEqual([
      5, 3,
    ]);
    expect(value('levy_distribution_skips_total', { reason: 'no-market' })).toBe(2);
    expect(value('levy_distribution_payments_total')).toBe(122);
    expect(value('levy_distribution_tokens_total', { what: 'collected' })).toBe(2 ** 64);
    expect(['sol', 'token'].map((asset) => value('levy_distribution_paid_total', { asset }))).toEqual([7, 8]);
    expect(['sol', 'token'].map((asset) => value('levy_distribution_owed', { asset }))).toEqual([9, 10]);
    expect(value('levy_distribution_fees_lamports_total')).toBe(25_000);
    expect(value('levy_distributions_halted', { code: 'BOOKS_DISAGREE' })).toBe(2);
    expect(value('levy_distributions_halted', { code: 'POT_MISSING' })).toBe(0);
    expect(value('levy_distributions_all_halted')).toBe(1);
    expect(value('levy_distributor_balance_lamports')).toBe(49);
    expect(value('levy_distributor_floor_lamports')).toBe(50);
  });

  test('tell of their progress only where they run', async () => {
    const elsewhere = await exposed(distributing(undefined));
    for (const name of ['lag_seconds', 'unsettled_batches', 'chain_suitable', 'witness_agrees']) {
      expect(elsewhere.value(`levy_distribution_${name}`)).toBeUndefined();
    }
    const here = await exposed(distributing({}));
    expect(here.value('levy_distribution_lag_seconds')).toBe(0);
    expect(here.value('levy_distribution_oldest_batch_age_seconds')).toBe(0);
    expect(here.value('levy_distribution_chain_suitable')).toBe(1);
    expect(here.value('levy_distribution_witness_agrees')).toBeUndefined();
  });

  test('tell what is late, what stands still, and who disagrees', async () => {
    const { value } = await exposed(
      distributing({
        oldestDue: { tokenId: 'one', dueAt: '2026-05-04T09:58:00.000Z' },
        unsettled: { batches: 3, since: '2026-05-04T09:59:30.000Z' },
        chainUnsuitable: 'it takes no transactions of version 1',
        witness: { state: 'disagrees', since, detail: undefined },
      }),
    );
    expect(value('levy_distribution_lag_seconds')).toBe(120);
    expect(value('levy_distribution_unsettled_batches')).toBe(3);
    expect(value('levy_distribution_oldest_batch_age_seconds')).toBe(30);
    expect(value('levy_distribution_chain_suitable')).toBe(0);
    expect(value('levy_distribution_witness_agrees')).toBe(0);
  });

  test('tell how many runs are in each step, how long none was recorded to move, and what is waited for', async () => {
    const run = { tokenId: 'one', runId: 'run', since, waitingFor: undefined } as const;
    const openRuns = {
      look: async () => ({
        counts: new Map([
          ['pay', 7],
          ['announce', 2],
        ] as const),
        oldest: new Map([
          ['pay', { ...run, step: 'pay', movedAt: '2026-05-04T09:50:00.000Z' }],
          // It is known when this one goes on.
          ['announce', { ...run, step: 'announce', movedAt: since }],
        ] as const),
        waits: [
          { code: 'record-unreadable', detail: 'x', since },
          { code: 'finality', detail: 'x', since: '2026-05-04T09:59:58.000Z' },
        ] as const,
        stuck: [{ ...run, step: 'pay', movedAt: since } as const],
      }),
    };
    const { value } = await exposed({ ...distributing({}), openRuns });
    const of = (name: string) =>
      ['pay', 'announce', 'scan'].map((step) => value(`levy_distribution_${name}`, { step }));
    expect(of('open_runs')).toEqual([7, 2, 0]);
    expect(of('step_age_seconds')).toEqual([600, 0, 0]);
    expect(value('levy_distribution_stuck_runs')).toBe(1);
    const waiting = (code: string, kind: string) =>
      value('levy_distribution_waiting_seconds', { code, kind });
    expect(waiting('record-unreadable', 'fault')).toBe(3_600);
    expect(waiting('finality', 'usual')).toBe(2);
    expect(waiting('chain-unavailable', 'trouble')).toBeUndefined();
  });

  test('are counted as the engine works, from 0', async () => {
    const metrics = createMetrics({ version: '1' });
    const counted = async (labels: Record<string, string>) =>
      readExposition((await metrics.text()).body).value('levy_distribution_transactions_total', labels);
    const refused = { kind: 'payment', outcome: 'refused' } as const;
    expect(await counted(refused)).toBe(0);
    metrics.distributions.transaction('payment', 'refused');
    metrics.distributions.scanned('complete');
    expect(await counted(refused)).toBe(1);
    const { value } = readExposition((await metrics.text()).body);
    expect(value('levy_distribution_scans_total', { outcome: 'complete' })).toBe(1);
  });
});
