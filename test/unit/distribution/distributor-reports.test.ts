// Reports of the distributor (waits, progress), and its timetable at the start.
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openTimetable, progressOf, waitOfError } from '../../../src/distribution/distributor.ts';
import { LedgerInvalid, LedgerMissing } from '../../../src/distribution/ledger/read-range.ts';
import { REFERENCE_WINDOW } from '../../../src/distribution/selling/price-reference.ts';
import { createTimetable, dueRun } from '../../../src/distribution/timetable.ts';
import { ChainAnswerInvalid, ChainBusy, ChainUnavailable } from '../../../src/kernel/ports/chain.ts';
import { StoreUnavailable } from '../../../src/kernel/ports/errors.ts';
import { loggerTo } from '../../../src/kernel/ports/logger.ts';
import { CollectionNotLive, type ReadModel } from '../../../src/kernel/ports/read-model.ts';
import { Rejection } from '../../../src/kernel/runtime/rejection.ts';
import type { DistributionDocument } from '../../../src/projections/distributions.ts';
import { waitFor } from '../../../src/streams/distribution-wait.ts';
import { KEYRING, NOW, only } from '../../support/run-examples.ts';

const diskError = Object.assign(new Error('EIO: i/o error, read'), {
  syscall: 'read',
  path: '/data/ledgers/x',
});

test.each([
  [new ChainUnavailable('fetch failed'), 'chain-unavailable'],
  [new ChainBusy('429'), 'chain-unavailable'],
  [new ChainAnswerInvalid('no mint'), 'chain-unavailable'],
  [new LedgerMissing('ab'), 'record-unreadable'],
  [new LedgerInvalid('cut off'), 'record-unreadable'],
  [new StoreUnavailable('no server'), 'store-unavailable'],
  [new CollectionNotLive('distributions'), 'store-unavailable'],
  [diskError, 'store-unavailable'],
  [
    new Rejection('STORE_UNAVAILABLE', 'unavailable', 'The event store does not answer.'),
    'store-unavailable',
  ],
  [new Rejection('CONCURRENT_CHANGE', 'conflict', 'Somebody was first.'), 'store-unavailable'],
  [new Rejection('TOKEN_NOT_FOUND', 'not-found', 'Token not found.'), 'unexpected-error'],
  [new TypeError('x is not a function'), 'unexpected-error'],
])('%s is %s', (error, code) => {
  expect(waitOfError(error)).toMatchObject({ code, error: error.message });
});

test('what is thrown and is no error is kept as text', () => {
  expect(waitOfError('no')).toMatchObject({ code: 'unexpected-error', error: 'no' });
});

const PROGRESS_PARTS = {
  clock: { now: () => NOW },
  suitability: { unsuitable: () => undefined, check: async () => undefined },
};

test('runs that cannot be opened are reported with what they wait for, the oldest first, a hundred at most', () => {
  const timetable = createTimetable();
  const since = (minute: number) => `2026-05-04T10:${String(minute).padStart(2, '0')}:00.000Z`;
  const inStep = (tokenId: string, step: 'consider' | 'pay', minute: number) => {
    const waitingFor = { ...waitFor('unconfirmed'), since: since(minute) };
    timetable.schedule(tokenId, 0).progress = { step, since: since(minute), waitingFor };
    return { tokenId, since: since(minute), waitingFor };
  };
  const [late, early] = [inStep('late', 'consider', 20), inStep('early', 'consider', 10)];
  inStep('paying', 'pay', 1);
  timetable.schedule('idle', 0);
  const { opening } = progressOf(timetable, PROGRESS_PARTS, () => undefined);
  expect(opening()).toEqual([early, late]);
  for (let token = 0; token < 200; token++) inStep(`token ${token}`, 'consider', 30);
  expect(opening()).toHaveLength(100);
  expect(opening().slice(0, 2)).toEqual([early, late]);
});

test('a token that waits has the number of its failed attempts and the time of the next, which is unknown during an attempt', () => {
  const timetable = createTimetable();
  const entry = timetable.schedule('token', NOW.getTime() + 8_000);
  const since = NOW.toISOString();
  entry.progress = { step: 'pay', since, waitingFor: { ...waitFor('chain-unavailable'), since } };
  entry.failures = 5;
  const { of } = progressOf(timetable, PROGRESS_PARTS, () => undefined);
  const nextAt = new Date(NOW.getTime() + 8_000).toISOString();
  expect(of('token')).toMatchObject({ step: 'pay', retries: { failed: 5, nextAt } });
  entry.isBusy = true;
  expect(of('token')?.retries).toEqual({ failed: 5, nextAt: undefined });
});

describe('the timetable as the read model fills it', () => {
  const HOUR = 3_600_000;
  const now = NOW.getTime();
  const ago = (milliseconds: number) => new Date(now - milliseconds).toISOString();
  const NEVER = Number.MAX_SAFE_INTEGER - REFERENCE_WINDOW;

  const asleep = {
    tokenId: 'a token',
    createdAt: ago(HOUR / 10),
    interval: '1h',
    lastDueAt: null,
    enabled: true,
    hidden: false,
    state: 'idle',
    openRunId: null,
    requested: false,
  } as unknown as DistributionDocument;

  async function filled(documents: readonly DistributionDocument[], failures: readonly Error[] = []) {
    const pages: unknown[] = [];
    const lines: string[] = [];
    const tries: number[] = [];
    const left = [...failures];
    const stopping = new AbortController();
    const readModel = only<ReadModel>('the read model', {
      async served() {
        tries.push(1);
        const failure = left.shift();
        if (failure !== undefined) throw failure;
        return { version: 1, generation: 1, isLive: true, checkpoint: 'here' };
      },
      async find(_projection, _index, _key, options) {
        pages.push(options);
        const { after, limit = 0 } = options ?? {};
        const from = after === undefined ? 0 : documents.findIndex(({ tokenId }) => tokenId === after) + 1;
        return documents.slice(from, from + limit) as never;
      },
    });
    const timetable = createTimetable();
    const filling = openTimetable(
      {
        readModel,
        clock: { now: () => NOW },
        keyring: KEYRING,
        logger: loggerTo((message, _fields, level) => lines.push(`${level} ${message}`)),
      },
      timetable,
      stopping.signal,
    );
    return { filling, timetable, pages, lines, tries, stop: () => stopping.abort() };
  }

  async function entryOf(document: Partial<DistributionDocument>) {
    const { filling, timetable } = await filled([{ ...asleep, ...document }]);
    expect(await filling).toBe('here');
    const { wakeAt, due } = timetable.get('a token') ?? {};
    return { wakeAt, due };
  }

  describe('a token', () => {
    test('sleeps until the price of its pool is watched for its next run', async () => {
      const { tokenId, createdAt } = asleep;
      const grid = { tokenId, createdAt, interval: '1h', lastDueAt: undefined } as const;
      const { opensAt } = dueRun(grid, now, KEYRING.scanMoment);
      expect(opensAt).toBeGreaterThan(now);
      expect(await entryOf({})).toEqual({ wakeAt: opensAt - REFERENCE_WINDOW, due: opensAt });
    });

    test('whose run fell due while nobody distributed is late only from now on', async () => {
      const { wakeAt, due } = await entryOf({ createdAt: ago(90 * HOUR), lastDueAt: ago(80 * HOUR) });
      expect(wakeAt).toBeLessThan(now);
      expect(due).toBe(now);
    });

    test.each<readonly [what: string, document: Partial<DistributionDocument>]>([
      ['is open', { openRunId: 'a run' }],
      ['was asked for', { requested: true }],
    ])('is looked at now where a run %s', async (_what, document) => {
      expect(await entryOf(document)).toMatchObject({ wakeAt: now });
      expect(await entryOf({ ...document, enabled: false })).toEqual({ wakeAt: now, due: undefined });
    });

    test.each<readonly [what: string, document: Partial<DistributionDocument>]>([
      ['is disabled', { enabled: false }],
      ['is hidden', { hidden: true as never }],
      ['is halted', { state: 'halted' }],
    ])('that %s has no run', async (_what, document) => {
      expect(await entryOf(document)).toEqual({ wakeAt: NEVER, due: undefined });
    });
  });

  describe('all tokens', () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, number) => ({ ...asleep, tokenId: `token ${number}` }));

    test('are read, 500 at a time', async () => {
      const { filling, timetable, pages } = await filled(many(1_000));
      await filling;
      expect([...timetable.all()]).toHaveLength(1_000);
      expect(pages).toEqual([
        { limit: 500 },
        { limit: 500, after: 'token 499' },
        { limit: 500, after: 'token 999' },
      ]);
    });

    test('are waited for while the read model is away, longer each time, and the log says so once', async () => {
      vi.useFakeTimers();
      onTestFinished(() => void vi.useRealTimers());
      const away = new Error('away');
      const { filling, lines, tries } = await filled(
        [asleep],
        Array.from({ length: 8 }, () => away),
      );
      const triesAfter = async (milliseconds: number) => {
        await vi.advanceTimersByTimeAsync(milliseconds);
        return tries.length;
      };
      expect([
        await triesAfter(0),
        await triesAfter(249),
        await triesAfter(1),
        await triesAfter(500),
      ]).toEqual([1, 1, 2, 3]);
      // 1, 2, 4 and 8 seconds, and then ten.
      expect([await triesAfter(15_000), await triesAfter(9_999), await triesAfter(1)]).toEqual([7, 7, 8]);
      await vi.advanceTimersByTimeAsync(10_000);
      expect(await filling).toBe('here');
      expect(lines).toEqual(['warn distribution waits for its read model']);
    });
  });
});
