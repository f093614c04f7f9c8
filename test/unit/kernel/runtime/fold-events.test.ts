// Folding: every event changes the documents that it names, once, however often and in whatever batches it comes.
import { describe, expect, test } from 'vitest';
import type { RecordedEvent } from '../../../../src/kernel/ports/event-store.ts';
import type { StoredDocument } from '../../../../src/kernel/ports/read-model.ts';
import { type Projection, projectionsOf } from '../../../../src/kernel/runtime/define-projection.ts';
import type { Recorded } from '../../../../src/kernel/runtime/event-codec.ts';
import { foldBatch, foldEvents, keysOf } from '../../../../src/kernel/runtime/fold-events.ts';
import { randomId } from '../../../../src/kernel/runtime/ids.ts';
import { newTarget } from '../../../../src/kernel/runtime/projection-target.ts';
import { Counted, CounterClosed, type CounterEvent } from '../../../support/counter.ts';

type Total = { readonly total: number; readonly place: string };

/** A counter is listed while its total is even; one that is closed is deleted, together with its neighbour. */
const totals = projectionsOf<CounterEvent>()<Total>({
  name: 'totals',
  version: 1,
  lists: { even: ({ total, place }) => (total % 2 === 0 ? place : undefined) },
  on: {
    Counted: {
      key: ({ stream, data }) => (data.note === 'nowhere' ? undefined : stream),
      apply: (document, { data }) => ({
        total: (document?.total ?? 0) + data.by,
        place: data.note ?? 'here',
      }),
    },
    CounterClosed: { key: ({ stream }) => [stream, `${stream}-neighbour`], apply: () => undefined },
  },
});

function at(position: number, stream: string, event: CounterEvent): Recorded {
  const metadata = {
    commandId: randomId(),
    inputHash: '',
    correlationId: '',
    causationId: '',
    actor: 'somebody',
    schemaVersion: 1,
    occurredAt: '',
  };
  return { ...event, eventId: randomId(), stream, revision: 0, position: String(position), metadata };
}

const stored = (...documents: readonly [string, StoredDocument<Total>][]) =>
  new Map<string, StoredDocument>(documents);
const here = (total: number) => ({ total, place: 'here' });

describe('the keys of events', () => {
  test('are all that they name, each once', () => {
    const events = [
      at(1, 'a', Counted({ by: 1 })),
      at(2, 'a', CounterClosed({})),
      at(3, 'b', Counted({ by: 1, note: 'nowhere' })),
    ];
    expect(keysOf(totals, events)).toEqual(['a', 'a-neighbour']);
  });
});

describe('folding', () => {
  test('goes on from the stored document, and skips what that has seen', () => {
    const before = stored(['a', { position: '2', document: here(10) }]);
    const events = [1, 2, 3].map((position) => at(position, 'a', Counted({ by: position })));
    expect(foldEvents(totals, before, events)).toEqual([{ key: 'a', position: '3', document: here(13) }]);
    expect(foldEvents(totals, before, events.slice(0, 2))).toEqual([]);
  });

  test('leaves a tombstone of what was there, and nothing of what never was', () => {
    const before = stored(['a', { position: '1', document: here(10) }]);
    expect(foldEvents(totals, before, [at(2, 'a', CounterClosed({}))])).toEqual([
      { key: 'a', position: '2', document: undefined },
    ]);
  });

  test('does not bring back what a tombstone has seen, but lets it begin anew', () => {
    const before = stored(['a', { position: '5', document: undefined }]);
    expect(foldEvents(totals, before, [at(4, 'a', Counted({ by: 1 }))])).toEqual([]);
    expect(foldEvents(totals, before, [at(6, 'a', Counted({ by: 1 }))])).toEqual([
      { key: 'a', position: '6', document: here(1) },
    ]);
  });

  test('makes one change of what one document goes through in one place', () => {
    const before = stored(['a', { position: '0', document: here(2) }]);
    const events = [2, 4, 6].map((by, index) => at(index + 1, 'a', Counted({ by })));
    expect(foldEvents(totals, before, events)).toEqual([{ key: 'a', position: '3', document: here(14) }]);
  });

  test('keeps the position by which a document first exists, or enters or leaves a list', () => {
    const events = [2, 4, 1, 2, 1, 2].map((by, index) => at(index + 1, 'a', Counted({ by })));
    expect(foldEvents(totals, stored(), events)).toEqual([
      { key: 'a', position: '1', document: here(2) },
      { key: 'a', position: '2', document: here(6) },
      { key: 'a', position: '3', document: here(7) },
      { key: 'a', position: '4', document: here(9) },
      { key: 'a', position: '5', document: here(10) },
      { key: 'a', position: '6', document: here(12) },
    ]);
    const deleted = stored(['a', { position: '0', document: undefined }]);
    expect(foldEvents(totals, deleted, events.slice(0, 2))).toHaveLength(2);
  });

  test('keeps the order in which documents enter and leave lists', () => {
    const events = [
      at(1, 'a', Counted({ by: 1 })),
      at(2, 'b', Counted({ by: 2 })),
      at(3, 'a', Counted({ by: 1 })),
      at(4, 'a', Counted({ by: 2, note: 'there' })),
      at(5, 'b', CounterClosed({})),
    ];
    expect(foldEvents(totals, stored(), events)).toEqual([
      { key: 'a', position: '1', document: here(1) },
      { key: 'b', position: '2', document: here(2) },
      { key: 'a', position: '3', document: here(2) },
      { key: 'a', position: '4', document: { total: 4, place: 'there' } },
      { key: 'b', position: '5', document: undefined },
    ]);
  });

  test('passes over events that the projection does not fold', () => {
    const { CounterClosed: _closed, ...on } = totals.on;
    expect(foldEvents({ ...totals, on }, stored(), [at(1, 'a', CounterClosed({}))])).toEqual([]);
  });
});

/** How often others came to run meanwhile. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const turn = () => {
    if (isOver) return;
    turns += 1;
    setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isOver = true;
  return turns;
}

test('a large batch lets others run while it is decoded and folded, and a small one takes no time of the loop', async () => {
  const target = newTarget({
    projection: totals as unknown as Projection,
    generation: { version: 1, generation: 1 },
    categories: [],
    isServed: true,
  });
  const fold = (count: number) =>
    foldBatch(
      [target],
      Array.from(
        { length: count },
        (_, position) => at(position, 'a', Counted({ by: 1 })) as unknown as RecordedEvent,
      ),
      {
        reader: { read: async (stored) => stored as unknown as Recorded },
        readModel: { load: async () => new Map() },
        isRemote: false,
        isAlone: () => true,
        leaveAlone: () => undefined,
      },
    );
  expect(await turnsDuring(() => fold(1_100))).toBeGreaterThanOrEqual(3);
  expect(await turnsDuring(() => fold(512))).toBe(0);
});
