/** What readiness tells of distributions, and which of it makes a process not ready. */
import { describe, expect, test } from 'vitest';
import type { DistributionOverview } from '../../../src/distribution/services.ts';
import type { DistributionStatuses } from '../../../src/operations/distribution-watch.ts';
import { watchedDistributions } from '../../../src/operations/distribution-watch.ts';
import type { OpenRun } from '../../../src/operations/open-runs-watch.ts';
import { watchedPayer } from '../../../src/operations/readiness.ts';
import { NO_DISTRIBUTIONS } from '../../../src/projections/distribution-totals.ts';
import { NONE_HALTED } from '../../support/distribution-document.ts';

const NOW = '2026-05-04T10:05:00.000Z';
const LONG_AGO = '2026-05-04T10:00:00.000Z';
const MINUTE = 60_000;
const tokenId = '3f2b9a54-54a7-5b0c-9d62-0d6c7f6f2a01';

const AT_REST: DistributionOverview = {
  oldestDue: undefined,
  unsettled: { batches: 0, since: undefined },
  chainUnsuitable: undefined,
  witness: undefined,
};

interface Given {
  readonly seen?: Partial<DistributionStatuses>;
  readonly overview?: Partial<DistributionOverview> | 'elsewhere';
  readonly stuck?: readonly OpenRun[];
  readonly hasRole?: boolean;
  readonly isDistributed?: boolean;
}

function look({ seen = {}, overview = {}, stuck = [], hasRole = true, isDistributed = true }: Given) {
  return watchedDistributions({
    distributions: {
      look: async () => ({
        totals: { ...NO_DISTRIBUTIONS, runsOpened: 5, runs: 3 },
        halted: NONE_HALTED,
        haltedTokens: [],
        allHaltedSince: undefined,
        ...seen,
      }),
    },
    openRuns: { look: async () => ({ counts: new Map(), oldest: new Map(), waits: [], stuck }) },
    clock: { now: () => new Date(NOW) },
    distributionProgress: () =>
      overview === 'elsewhere'
        ? undefined
        : { of: () => undefined, opening: () => [], overview: () => ({ ...AT_REST, ...overview }) },
    hasRole,
    isDistributed: async () => isDistributed,
    lag: 4 * MINUTE,
  }).check();
}

describe('distributions', () => {
  test('that advance are counted', async () => {
    expect(await look({})).toEqual([
      {
        name: 'distributions',
        ok: true,
        isPartial: true,
        details: {
          openRuns: 2,
          halted: 0,
          haltedByCheck: 0,
          stuckRuns: 0,
          lagSeconds: 0,
          unsettledBatches: 0,
        },
      },
    ]);
  });

  test('are stuck when a due run waits for longer than it may', async () => {
    const oldestDue = { tokenId, dueAt: LONG_AGO };
    const [late] = await look({ overview: { oldestDue } });
    expect(late?.isPartial).toBeUndefined();
    expect(late).toMatchObject({
      ok: false,
      details: { reason: 'a due run has waited for 300 s', lagSeconds: 300, oldestDueTokenId: tokenId },
    });
    const [young] = await look({ overview: { oldestDue: { tokenId, dueAt: '2026-05-04T10:01:00.000Z' } } });
    expect(young).toMatchObject({ ok: true, details: { lagSeconds: 240 } });
    expect(young?.details).not.toHaveProperty('reason');
  });

  test('are stuck while the witness disagrees or does not answer', async () => {
    const witness = (state: 'agrees' | 'silent' | 'disagrees', detail?: string) =>
      look({ overview: { witness: { state, since: LONG_AGO, detail } } });
    expect((await witness('agrees'))[0]).toMatchObject({
      ok: true,
      details: { witness: 'agrees', witnessSince: LONG_AGO },
    });
    expect((await witness('silent'))[0]).toMatchObject({
      ok: false,
      details: { reason: 'the witness does not respond' },
    });
    expect((await witness('disagrees', 'pot E7ug shows 5, not 4'))[0]).toMatchObject({
      ok: false,
      details: { reason: 'the witness disagrees with the chain node: pot E7ug shows 5, not 4' },
    });
  });

  test('that cannot begin degrade the service with the reason, but for a halt; calls are answered all the same', async () => {
    const reasons = await Promise.all(
      [
        { isDistributed: false, hasRole: false, overview: 'elsewhere' } as const,
        { seen: { allHaltedSince: LONG_AGO } },
        { overview: { chainUnsuitable: 'it takes no transactions of version 1' } },
      ].map(async (given) => {
        const [check] = await look(given);
        return [check?.ok, check?.isPartial, check?.details.reason];
      }),
    );
    expect(reasons).toEqual([
      [false, true, 'no process distributes; start one with the role `distributor` (ROLES)'],
      [true, true, 'an operator has halted all distributions'],
      [false, true, 'the chain cannot carry distributions: it takes no transactions of version 1'],
    ]);
  });

  test('that are stuck one by one are named with their step and what they wait for, without particulars', async () => {
    const run: OpenRun = {
      tokenId,
      runId: '2d2f3b0c-6f0e-5d8f-8a53-0d1f0c9f4a77',
      step: 'pay',
      since: LONG_AGO,
      movedAt: LONG_AGO,
      waitingFor: {
        code: 'record-unreadable',
        detail: 'Not at mongodb://db.example.',
        since: LONG_AGO,
        error: 'ENOENT',
      },
    };
    const others = Array.from({ length: 12 }, () => ({ ...run, waitingFor: undefined }));
    const [check, stuck, ...more] = await look({ stuck: [run, ...others] });
    expect(check).toMatchObject({ ok: true, details: { stuckRuns: 13 } });
    expect(stuck).toEqual({
      name: 'stuck distribution',
      ok: false,
      isPartial: true,
      details: {
        tokenId,
        runId: run.runId,
        step: 'pay',
        since: LONG_AGO,
        lastRecordedAt: LONG_AGO,
        code: 'record-unreadable',
        waitingSince: LONG_AGO,
        reason: 'A recorded event or a ledger that the run needs is missing or cannot be read.',
      },
    });
    expect(more).toHaveLength(9);
    const [, elsewhere] = await look({ stuck: [run], hasRole: false, overview: 'elsewhere' });
    expect(elsewhere).toMatchObject({ ok: true, details: { tokenId, code: 'record-unreadable' } });
  });

  test('that are halted are named, by whomever, and leave the process ready', async () => {
    const haltedTokens = [{ tokenId, code: 'BOOKS_DISAGREE' as const, since: LONG_AGO }];
    const checks = await look({
      seen: { halted: { ...NONE_HALTED, BOOKS_DISAGREE: 1, OPERATOR: 2 }, haltedTokens },
    });
    expect(checks).toMatchObject([
      { name: 'distributions', ok: true, details: { halted: 3, haltedByCheck: 1 } },
      { name: 'halted distribution', ok: true, details: haltedTokens[0] },
    ]);
  });
});

test('a distributor under its floor degrades the service, and says what follows from it', async () => {
  const holding = async (lamports: bigint) => {
    const address = 'E7ugHcHYMGuCLPpsPHHeWJvNUGkMkPC5pJrzVQvtQSoL';
    const payer = { balance: async () => lamports, address, floor: 50n };
    const [check] = await watchedPayer('distributor', payer, 'no run is opened', true).check();
    return check;
  };
  expect(await holding(50n)).toEqual({
    name: 'distributor',
    ok: true,
    isPartial: true,
    details: { address: 'E7ugHcHYMGuCLPpsPHHeWJvNUGkMkPC5pJrzVQvtQSoL', lamports: '50' },
  });
  expect(await holding(49n)).toMatchObject({
    ok: false,
    isPartial: true,
    details: {
      lamports: '49',
      reason: 'the balance is below 50 lamports: no run is opened',
    },
  });
});
