// The same events give the same read models byte for byte, however late they are projected.
import { Type } from '@sinclair/typebox';
import { describe, expect, test } from 'vitest';
import type { RecordedEvent } from '../../../src/kernel/ports/event-store.ts';
import { type Projection, projectionsOf } from '../../../src/kernel/runtime/define-projection.ts';
import { constructorsOf, defineStream, type EventOf } from '../../../src/kernel/runtime/define-stream.ts';
import { createEventCodec } from '../../../src/kernel/runtime/event-codec.ts';
import { randomId } from '../../../src/kernel/runtime/ids.ts';
import { projections } from '../../../src/projections/index.ts';
import { streams } from '../../../src/streams/index.ts';
import { openProjecting, type Projecting, untilAllLive } from '../../support/projecting.ts';
import { appendRecorded, SCRIPT_METADATA, storedEvents } from '../../support/recorded-events.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { interleave, randomFrom, randomHistory } from './random-history.ts';

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

function randomBooks(seed: number, count: number): readonly BookEvent[] {
  const random = randomFrom(seed);
  const bookId = () => `book ${random(12)}`;
  const shelves = ['fiction', 'travel', 'sea'];
  return Array.from({ length: count }, () => {
    const kind = random(10);
    if (kind === 0) return BookLost({ bookId: bookId() });
    if (kind === 1) return BooksSwapped({ one: bookId(), other: bookId(), shelf: shelves[random(3)] ?? '' });
    return BookMoved({ bookId: bookId(), shelf: shelves[random(4)] ?? null });
  });
}

type ToRecord = Omit<RecordedEvent, 'position'>;

const known = [...streams, library];
const codec = createEventCodec(known);

/** One history over all streams of the service and the library. */
function history(seed: number): readonly ToRecord[] {
  const lengths = new Map<string, number>();
  const ofLibrary = randomBooks(seed, 120).map((event, index): ToRecord => {
    const stream = `library-${index % 7}`;
    const revision = lengths.get(stream) ?? 0;
    lengths.set(stream, revision + 1);
    return { ...codec.encode('library', randomId(), event, SCRIPT_METADATA), stream, revision };
  });
  const ofService = storedEvents(randomHistory(seed, 24));
  return interleave<ToRecord>([ofService, ofLibrary], randomFrom(seed));
}

async function open(folder: string): Promise<Projecting> {
  return openProjecting({ on: folder, projections: [...projections, books], streams: known });
}

async function caughtUp(projecting: Projecting): Promise<string> {
  await untilAllLive(projecting);
  expect(await projecting.projector.waitFor(await projecting.store.head(), 30_000)).toBe(true);
  return projecting.dump();
}

async function projectedLive(events: readonly ToRecord[]): Promise<string> {
  const projecting = await open(await temporaryFolder());
  await projecting.projector.start();
  await untilAllLive(projecting);
  await appendRecorded(projecting.store, events);
  return caughtUp(projecting);
}

async function projectedAfterwards(events: readonly ToRecord[]): Promise<string> {
  const projecting = await open(await temporaryFolder());
  await appendRecorded(projecting.store, events);
  await projecting.projector.start();
  return caughtUp(projecting);
}

async function projectedWithBreaks(events: readonly ToRecord[]): Promise<string> {
  const folder = await temporaryFolder();
  const third = Math.ceil(events.length / 3);
  for (let from = 0; ; from += third) {
    const projecting = await open(folder);
    await projecting.projector.start();
    await appendRecorded(projecting.store, events.slice(from, from + third));
    if (from + third >= events.length) return caughtUp(projecting);
    await (from === 0 ? projecting.stop() : projecting.crash());
  }
}

describe.each([1, 2, 3])('random history %i', (seed) => {
  const events = history(seed);
  let expected: string | undefined;

  test.each([
    ['as it happens', projectedLive],
    ['afterwards', projectedAfterwards],
    ['with a restart and a crash in between', projectedWithBreaks],
  ])('gives one and the same when projected %s', async (_when, project) => {
    const documents = await project(events);
    expected ??= documents;
    expect(documents.length).toBeGreaterThan(10_000);
    expect(documents === expected ? 'the same' : documents.split('\n')).toEqual(
      documents === expected ? 'the same' : expected.split('\n'),
    );
  });
});
