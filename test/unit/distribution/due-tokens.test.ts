// Which tokens are looked at when, as the read model says at the start.
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { timetableFilled } from '../../../src/distribution/distributor.ts';
import { REFERENCE_WINDOW } from '../../../src/distribution/selling/price-reference.ts';
import { createTimetable, dueRun } from '../../../src/distribution/timetable.ts';
import { loggerTo } from '../../../src/kernel/ports/logger.ts';
import { CollectionNotLive, type ReadModel } from '../../../src/kernel/ports/read-model.ts';
import type { DistributionDocument } from '../../../src/projections/distributions.ts';
import { KEYRING, NOW, only } from '../../support/run-examples.ts';

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
  const filling = timetableFilled(
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
    expect([await triesAfter(0), await triesAfter(249), await triesAfter(1), await triesAfter(500)]).toEqual([
      1, 1, 2, 3,
    ]);
    // 1, 2, 4 and 8 seconds, and then ten.
    expect([await triesAfter(15_000), await triesAfter(9_999), await triesAfter(1)]).toEqual([7, 7, 8]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await filling).toBe('here');
    expect(lines).toEqual(['warn distribution waits for its read model']);
  });

  test('of a read model that is being built are no trouble', async () => {
    const { filling, stop, lines } = await filled([], [new CollectionNotLive('distributions')]);
    await Promise.resolve();
    stop();
    await filling;
    expect(lines).toEqual(['info distribution waits for its read model']);
  });

  test('are not read any more once it is stopped', async () => {
    const { filling, stop, timetable } = await filled([asleep], [new CollectionNotLive('distributions')]);
    stop();
    expect(await filling).toBeUndefined();
    expect([...timetable.all()]).toEqual([]);
  });
});
