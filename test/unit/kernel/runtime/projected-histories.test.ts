// The same events give the same read models byte for byte, however late they are projected.
import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RecordedEvent } from '../../../../src/kernel/ports/event-store.ts';
import { type Projection, projectionsOf } from '../../../../src/kernel/runtime/define-projection.ts';
import { constructorsOf, defineStream, type EventOf } from '../../../../src/kernel/runtime/define-stream.ts';
import { createEventCodec } from '../../../../src/kernel/runtime/event-codec.ts';
import { randomId } from '../../../../src/kernel/runtime/ids.ts';
import { type Disk, memoryDisk } from '../../../support/memory-disk.ts';
import { openProjecting, type Projecting, untilAllLive } from '../../../support/projecting.ts';
import { appendRecorded, SCRIPT_METADATA } from '../../../support/recorded-events.ts';

const bookEvents = {
  /** To no shelf: it is lent, and on none. */
  BookMoved: Type.Object({ bookId: Type.String(), shelf: Type.Union([Type.String(), Type.Null()]) }),
  BooksSwapped: Type.Object({ one: Type.String(), other: Type.String(), shelf: Type.String() }),
  BookLost: Type.Object({ bookId: Type.String() }),
};
type BookEvent = EventOf<typeof bookEvents>;
const { BookMoved, BooksSwapped, BookLost } = constructorsOf(bookEvents);
const library = defineStream({
  category: 'library',
  events: bookEvents,
  initial: 0,
  evolve: (count) => count + 1,
});

/** Everything that a read model offers: indexes, terms, several lists, views, several keys an event, deletions. */
const books = projectionsOf<BookEvent>()<{ id: string; shelf: string | null; moves: number }>({
  name: 'books',
  version: 1,
  indexes: { shelf: ({ shelf }) => (shelf === null ? [] : [shelf, 'any']) },
  terms: ({ id, shelf }) => [id, shelf ?? 'lent'],
  lists: { all: () => '', shelf: ({ shelf }) => shelf ?? undefined },
  views: { card: ({ id, moves }) => ({ id, moves }) },
  on: {
    BookMoved: {
      key: ({ data }) => data.bookId,
      apply: (book, { data: { bookId: id, shelf } }) => ({ id, shelf, moves: (book?.moves ?? 0) + 1 }),
    },
    BooksSwapped: {
      key: ({ data }) => [data.one, data.other],
      apply: (book, { data }) => book && { ...book, shelf: data.shelf, moves: book.moves + 1 },
    },
    BookLost: { key: ({ data }) => data.bookId, apply: () => undefined },
  },
}) as unknown as Projection;

const bookId = fc.integer({ min: 1, max: 12 }).map((number) => `book ${number}`);
const shelf = fc.constantFrom('fiction', 'travel', 'sea');
const book = fc.oneof(
  { weight: 8, arbitrary: fc.record({ bookId, shelf: fc.option(shelf) }).map(BookMoved) },
  { weight: 1, arbitrary: fc.record({ one: bookId, other: bookId, shelf }).map(BooksSwapped) },
  { weight: 1, arbitrary: fc.record({ bookId }).map(BookLost) },
);

type ToRecord = Omit<RecordedEvent, 'position'>;

const codec = createEventCodec([library]);

/** Seven streams in turn. */
const recordable = (events: readonly BookEvent[]): readonly ToRecord[] =>
  events.map((event, index) => ({
    ...codec.encode('library', randomId(), event, SCRIPT_METADATA),
    stream: `library-${index % 7}`,
    revision: Math.floor(index / 7),
  }));

const open = (on: Disk): Projecting => openProjecting({ on, projections: [books], streams: [library] });

async function caughtUp(projecting: Projecting): Promise<string> {
  await untilAllLive(projecting);
  expect(await projecting.projector.waitFor(await projecting.store.head(), 30_000)).toBe(true);
  return projecting.dump();
}

async function projectedAfterwards(events: readonly ToRecord[]): Promise<string> {
  const projecting = open(memoryDisk());
  await appendRecorded(projecting.store, events);
  await projecting.projector.start();
  return caughtUp(projecting);
}

/** In thirds; after each but the last the process ends in this way. */
async function projectedLive(events: readonly ToRecord[], end?: 'stop' | 'crash'): Promise<string> {
  const disk = memoryDisk();
  const third = Math.ceil(events.length / 3);
  let projecting = open(disk);
  await projecting.projector.start();
  await untilAllLive(projecting);
  for (let from = 0; ; from += third) {
    await appendRecorded(projecting.store, events.slice(from, from + third));
    if (from + third >= events.length) return caughtUp(projecting);
    if (end === undefined) continue;
    await projecting[end]();
    projecting = open(disk);
    await projecting.projector.start();
  }
}

test('a history projected as it happens, afterwards, with restarts and with crashes in between gives one and the same', async () => {
  const property = fc.asyncProperty(
    fc.array(book, { minLength: 60, maxLength: 120 }).map(recordable),
    async (events) => {
      const expected = await projectedAfterwards(events);
      expect(expected.length).toBeGreaterThan(1_000);
      for (const end of [undefined, 'stop', 'crash'] as const)
        expect((await projectedLive(events, end)).split('\n')).toEqual(expected.split('\n'));
    },
  );
  await fc.assert(property, { numRuns: 4, endOnFailure: true });
});
