// A search of the log: what it finds, how far it looks in one call, and where the next one goes on.
import { expect, test } from 'vitest';
import type { RecordedEvent } from '../../../src/kernel/ports/event-store.ts';
import {
  chunksOfStream,
  type LogFilter,
  MAX_SCANNED,
  type Order,
  type Piece,
  searchLog,
} from '../../../src/queries/log-search.ts';
import { tokenCreated } from '../../support/domain-examples.ts';
import { happening, storedEvents } from '../../support/recorded-events.ts';

/** Twelve events in three streams, one a minute from 10:00. */
const log = storedEvents(
  Array.from({ length: 12 }, (_none, n) =>
    happening(`${n % 3}`, tokenCreated, `2026-05-04T10:${String(n).padStart(2, '0')}:00.000Z`),
  ),
);
const at = (minute: string) => `2026-05-04T10:${minute}:00.000Z`;
const minutesOf = (events: readonly RecordedEvent[]) =>
  events.map(({ metadata }) => Number(String(metadata.occurredAt).slice(14, 16)));

async function* pieces(events: readonly RecordedEvent[], size: number): AsyncGenerator<Piece, void> {
  for (let from = 0; ; from += size) {
    const piece = events.slice(from, from + size);
    yield { events: piece, cursor: piece.at(-1)?.position ?? '', isEnd: from + size >= events.length };
  }
}

function search(
  filter: LogFilter,
  { order = 'oldest' as Order, limit = 100, size = 4, events = log as readonly RecordedEvent[] } = {},
) {
  const ordered = order === 'oldest' ? events : events.toReversed();
  return searchLog(pieces(ordered, size), filter, { order, limit, cursorOf: ({ position }) => position });
}

test('finds what every part of the filter allows, the bounds of time included', async () => {
  expect((await search({})).events).toEqual(log);
  expect((await search({}, { order: 'newest' })).events).toEqual(log.toReversed());
  const { events, next } = await search({ since: at('03'), until: at('05') });
  expect([minutesOf(events), next]).toEqual([[3, 4, 5], null]);
  expect((await search({ type: 'TokenHidden' })).events).toEqual([]);
  expect((await search({ category: 'draft' })).events).toEqual([]);
  expect((await search({ category: 'token', type: 'TokenCreated' })).events).toHaveLength(12);
  const renamed = log.map((event, n) => ({ ...event, type: ['A', 'AB', 'B'][n % 3] ?? '' }));
  expect((await search({ hide: 'AB' }, { events: renamed })).events).toHaveLength(8);
  expect((await search({ hide: 'B,A' }, { events: renamed })).events.map(({ type }) => type)).toEqual(
    Array(4).fill('AB'),
  );
  const other = log.map((event, n) =>
    n === 7 ? { ...event, metadata: { ...event.metadata, correlationId: 'other' } } : event,
  );
  expect((await search({ correlationId: 'other' }, { events: other })).events).toEqual([other[7]]);
});

test('stops with the last event that a page holds, and the next page goes on behind it', async () => {
  const first = await search({}, { limit: 5 });
  expect([minutesOf(first.events), first.next, first.scanned]).toEqual([
    [0, 1, 2, 3, 4],
    log[4]?.position,
    5,
  ]);
  expect(first.last).toEqual(log[4]);
  // Nothing is behind the last event: the page that ends with it is the last.
  expect((await search({}, { limit: 12 })).next).toBeNull();
});

test('looks at so many events and no more, found or not, and says where the next call goes on', async () => {
  const events = Array.from({ length: MAX_SCANNED + 1_500 }, (_none, n) => ({
    ...(log[0] as RecordedEvent),
    position: String(n),
  }));
  const begun = await search({ type: 'TokenHidden' }, { events, size: 500 });
  expect([begun.events, begun.scanned, begun.next]).toEqual([[], MAX_SCANNED, String(MAX_SCANNED - 1)]);
  const rest = events.slice(MAX_SCANNED);
  expect(await search({ type: 'TokenHidden' }, { events: rest, size: 500 })).toMatchObject({
    scanned: 1_500,
    next: null,
  });
});

test('is over when a whole piece lies beyond the time, not at the first event whose clock was wrong', async () => {
  const newest = await search({ since: at('09') }, { order: 'newest', size: 2 });
  expect([minutesOf(newest.events), newest.scanned, newest.next]).toEqual([[11, 10, 9], 6, null]);
  const oldest = await search({ until: at('02') }, { size: 2 });
  expect([minutesOf(oldest.events), oldest.scanned]).toEqual([[0, 1, 2], 6]);
  const wrong = log.map((event, n) =>
    n === 10 ? { ...event, metadata: { ...event.metadata, occurredAt: '2020-01-01T00:00:00.000Z' } } : event,
  );
  expect(
    minutesOf((await search({ since: at('08') }, { order: 'newest', size: 2, events: wrong })).events),
  ).toEqual([11, 9, 8]);
});

test('takes an event that cannot be read for as old as the one beside it', async () => {
  const events = log.map((event, n) =>
    n === 5 ? { ...event, data: {}, metadata: {}, unreadable: 'its data are not JSON' } : event,
  );
  for (const order of ['oldest', 'newest'] as const) {
    const { events: found } = await search({ since: at('04'), until: at('06') }, { order, events });
    expect(found.map(({ revision, unreadable }) => [revision, unreadable])).toContainEqual([
      1,
      'its data are not JSON',
    ]);
    expect(found).toHaveLength(3);
    expect((await search({ since: at('08') }, { order, events })).events).toHaveLength(4);
  }
});

test('a stream is read from its end or its beginning, from behind a revision', async () => {
  const long = Array.from({ length: 1_100 }, (_none, revision) => ({
    ...(log[0] as RecordedEvent),
    revision,
  }));
  const store = {
    read: async function* (_stream: string, from = 0) {
      yield* long.slice(from);
    },
    readBackwards: async function* (_stream: string, before = 1_100) {
      yield* long.slice(0, before).toReversed();
    },
  };
  for (const [order, after, first, count] of [
    ['newest', undefined, 1_099, 1_100],
    ['newest', 700, 699, 700],
    ['oldest', undefined, 0, 1_100],
    ['oldest', 700, 701, 399],
  ] as const) {
    const found: RecordedEvent[] = [];
    const cursors: string[] = [];
    for await (const { events, cursor } of chunksOfStream(store, 'token-1', order, after)) {
      found.push(...events);
      if (events.length > 0) cursors.push(cursor);
    }
    expect([found[0]?.revision, found.length, cursors.length]).toEqual([
      first,
      count,
      Math.ceil(count / 500),
    ]);
  }
});
