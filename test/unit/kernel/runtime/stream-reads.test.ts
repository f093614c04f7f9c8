// What is read of a stream, by what is known of it and by its last snapshot: no more than is needed, and never two histories in one.
import { describe, expect, test } from 'vitest';
import type { RecordedEvent } from '../../../../src/kernel/ports/event-store.ts';
import type { KnownStream } from '../../../../src/kernel/runtime/known-streams.ts';
import type { Milestone } from '../../../../src/kernel/runtime/snapshots.ts';
import { createStreamReads } from '../../../../src/kernel/runtime/stream-reads.ts';
import { counter, longCounter } from '../../../support/counter.ts';

const NAME = 'counter-a';
const EVERY = longCounter.snapshots?.every ?? 0;
const LATEST = Number.MAX_SAFE_INTEGER;

const eventAt = (revision: number, history = 'own'): RecordedEvent => ({
  id: `${history}-${revision}`,
  type: 'Counted',
  data: { by: 1 },
  metadata: {},
  stream: NAME,
  revision,
  position: `${revision}`,
});
const history = (count: number, of = 'own', from = 0) =>
  Array.from({ length: count - from }, (_, index) => eventAt(from + index, of));
const snapshotAt = (revision: number, of = 'own') => ({
  state: { total: revision + 1 },
  revision,
  eventId: `${of}-${revision}`,
});

interface Given {
  readonly stored: readonly RecordedEvent[];
  readonly known?: Omit<KnownStream, 'bytes'>;
  readonly snapshot?: Milestone<unknown>;
}

/** What was asked for, in order: of the store, of the snapshots, and of the memory, which has to be ready before a read. */
async function reading(stream: typeof counter, { stored, known, snapshot }: Given, eventsFrom = LATEST) {
  const asked: string[] = [];
  const remembered = new Map<string, number>([[NAME, 7]]);
  const reads = createStreamReads({
    async read(name, from = 0, atMost = LATEST) {
      expect(name).toBe(NAME);
      asked.push(atMost === LATEST ? `from ${from}` : `${atMost} from ${from}`);
      return stored.filter(({ revision }) => revision >= from).slice(0, atMost);
    },
    streams: {
      latest: (name) => (known && name === NAME ? { ...known, bytes: 1 } : undefined),
      reading() {
        asked.push('keep');
        return (read) => ({ ...read, bytes: 2 });
      },
      forgetAll: () => void asked.push('forget all'),
    },
    snapshots: {
      async latest() {
        asked.push('snapshot');
        return snapshot as Milestone<never> | undefined;
      },
    },
    snapshotAt: remembered,
  });
  const found = await reads(stream, NAME, eventsFrom);
  expect(found.bytes).toBe(2);
  return {
    asked,
    begun: found.begun,
    ids: found.stored.map(({ id }) => id),
    snapshotAt: remembered.get(NAME),
  };
}
const ids = (events: readonly RecordedEvent[]) => events.map(({ id }) => id);

describe('a stream that is not known', () => {
  test('is read whole where its kind has no snapshots', async () => {
    const stored = history(3);
    expect(await reading(counter, { stored, snapshot: snapshotAt(2) })).toEqual({
      asked: ['keep', 'from 0'],
      begun: undefined,
      ids: ids(stored),
      snapshotAt: 7,
    });
  });

  test('is read whole where all its events are wanted', async () => {
    const stored = history(EVERY + 2);
    const found = await reading(longCounter, { stored, snapshot: snapshotAt(EVERY) }, 0);
    expect(found).toMatchObject({ asked: ['keep', 'from 0'], begun: undefined, ids: ids(stored) });
  });

  test('costs one read where it is too short to have a snapshot', async () => {
    const stored = history(EVERY - 1);
    const found = await reading(longCounter, { stored });
    expect(found).toMatchObject({ asked: ['keep', `${EVERY} from 0`], begun: undefined, ids: ids(stored) });
  });

  test.each([EVERY, EVERY + 2])('is read on where it is long and has none: %i events', async (count) => {
    const stored = history(count);
    expect(await reading(longCounter, { stored })).toEqual({
      asked: ['keep', `${EVERY} from 0`, 'snapshot', `from ${EVERY}`],
      begun: undefined,
      ids: ids(stored),
      // Up to nowhere: the next one is due.
      snapshotAt: -1,
    });
  });

  test.each([
    ['without a wish', LATEST],
    ['for the events from that one on', EVERY],
  ])('is read from its snapshot on: %s', async (_what, eventsFrom) => {
    const snapshot = snapshotAt(EVERY);
    const found = await reading(longCounter, { stored: history(EVERY + 3), snapshot }, eventsFrom);
    expect(found).toEqual({
      asked: ['keep', `${EVERY} from 0`, 'snapshot', 'keep', `from ${EVERY}`],
      begun: snapshot,
      ids: ids(history(EVERY + 3, 'own', EVERY)),
      snapshotAt: EVERY,
    });
  });

  test('is read whole where events before its snapshot are wanted', async () => {
    const stored = history(EVERY + 3);
    const found = await reading(longCounter, { stored, snapshot: snapshotAt(EVERY) }, EVERY - 1);
    expect(found).toMatchObject({ begun: undefined, ids: ids(stored), snapshotAt: EVERY });
  });

  test.each([
    ['of another history', snapshotAt(EVERY, 'other')],
    ['of an event that is not there any more', snapshotAt(EVERY + 9)],
  ])('is read whole beside a snapshot %s, which is then as good as none', async (_what, snapshot) => {
    const stored = history(EVERY + 3);
    const found = await reading(longCounter, { stored, snapshot });
    expect(found).toMatchObject({ begun: undefined, ids: ids(stored), snapshotAt: undefined });
  });

  test('is not begun at an event of a higher revision than its snapshot, whatever its id', async () => {
    const stored = [...history(EVERY), { ...eventAt(EVERY), revision: EVERY + 1 }];
    const found = await reading(longCounter, { stored, snapshot: snapshotAt(EVERY) });
    expect(found).toMatchObject({ begun: undefined, ids: ids(stored), snapshotAt: undefined });
  });
});

describe('a stream that is known', () => {
  test.each([
    ['nothing new', 3],
    ['two new ones', 5],
  ])('is read from the last known event on, which shows that it is the same history: %s', async (_what, count) => {
    const stored = history(count);
    const found = await reading(counter, { stored, known: { begun: undefined, stored: history(3) } });
    expect(found).toMatchObject({ asked: ['keep', 'from 2'], begun: undefined, ids: ids(stored) });
  });

  test('is known from a snapshot on, for whoever wants no older events', async () => {
    const begun = snapshotAt(EVERY);
    const known = { begun, stored: history(EVERY + 2, 'own', EVERY) };
    const stored = history(EVERY + 3);
    const enough = await reading(longCounter, { stored, known }, EVERY);
    expect(enough).toMatchObject({
      asked: ['keep', `from ${EVERY + 1}`],
      begun,
      ids: ids(stored.slice(EVERY)),
    });
    const older = await reading(longCounter, { stored, known }, EVERY - 1);
    expect(older).toMatchObject({ begun: undefined, ids: ids(stored) });
  });

  test('not to exist is looked for', async () => {
    const stored = history(2);
    const found = await reading(counter, { stored, known: { begun: undefined, stored: [] } });
    expect(found).toMatchObject({ asked: ['keep', 'from 0'], ids: ids(stored) });
  });

  test.each([
    ['has another event there', history(4, 'other')],
    ['is shorter', history(2)],
    ['is gone', []],
  ])('is forgotten with all others where the store was put back: the stream %s', async (_what, stored) => {
    const found = await reading(counter, { stored, known: { begun: undefined, stored: history(3) } });
    expect(found).toMatchObject({
      asked: ['keep', 'from 2', 'forget all', 'keep', 'from 0'],
      ids: ids(stored),
    });
  });

  test('is read anew, and the others are still known, where its older events were cut', async () => {
    const stored = history(6, 'own', 4);
    const found = await reading(counter, { stored, known: { begun: undefined, stored: history(3) } });
    expect(found).toMatchObject({ asked: ['keep', 'from 2', 'keep', 'from 0'], ids: ids(stored) });
  });

  test('does not go on at an event of another revision with the same id', async () => {
    const stored = [{ ...eventAt(2), revision: 4 }];
    const found = await reading(counter, { stored, known: { begun: undefined, stored: history(3) } });
    expect(found.asked).toEqual(['keep', 'from 2', 'keep', 'from 0']);
  });
});
