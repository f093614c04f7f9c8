// A log is compared with the notary's record event by event: what was changed is named, and what only stands elsewhere is corrected.
import { describe, expect, test } from 'vitest';
import type { RecordedEvent } from '../../../../src/kernel/ports/event-store.ts';
import { recordedOrder } from '../../../../src/proof/transparency/recorded-order.ts';
import { loggedEvent, recordedLog } from '../../../support/recorded-log.ts';

/** Two full pages, and 88 entries behind them. */
const SIZE = 600;
const { files, events, head } = await recordedLog(SIZE);

const storeOf = (log: readonly RecordedEvent[]) => ({
  async *read(stream: string, from = 0) {
    for (const event of log) if (event.stream === stream && event.revision >= from) yield event;
  },
});

/** Ends at the first change. */
async function compared(log: readonly RecordedEvent[], record = { files, head }) {
  const pagesRead: number[] = [];
  const replaced: number[] = [];
  const positions = new Map<number, string>();
  const relocated = new Map<number, string>();
  const order = recordedOrder(
    {
      page(index, known) {
        pagesRead.push(index);
        return record.files.page(index, known);
      },
      async putIndex(index, lines) {
        replaced.push(index);
        for (const [at, { position }] of lines.entries()) positions.set(256 * index + at, position);
      },
    },
    record.head,
    storeOf(log),
    (index, position) => void relocated.set(index, position),
  );
  const answers: string[] = [];
  for (const event of log) {
    const found = await order.next(event);
    if (typeof found !== 'string') return { change: found, compared: order.compared() };
    answers.push(found);
  }
  return {
    answers,
    compared: order.compared(),
    missing: await order.missing(),
    pagesRead,
    replaced,
    positions,
    relocated,
  };
}
const named = (index: number) =>
  `the event event-${index} (revision ${Math.floor(index / 3)} of token-${index % 3})`;
const stranger = (change: Partial<RecordedEvent> = {}) =>
  loggedEvent(0, { id: 'stranger', stream: 'token-9', revision: 0, ...change });

describe('an unchanged log', () => {
  test('is recorded, event by event, and goes on with new ones', async () => {
    const found = await compared([...events, stranger(), stranger({ id: 'other', revision: 1 })]);
    expect(found).toMatchObject({ compared: SIZE, missing: undefined, replaced: [] });
    expect(found.answers).toEqual([...Array<string>(SIZE).fill('recorded'), 'new', 'new']);
    expect(found.relocated).toEqual(new Map());
  });

  test('costs one look at each page of the record', async () => {
    expect((await compared(events)).pagesRead).toEqual([0, 1, 2]);
  });

  test('without a record is new', async () => {
    const empty = await recordedLog(0);
    expect(await compared(events.slice(0, 2), empty)).toMatchObject({
      answers: ['new', 'new'],
      compared: 0,
      missing: undefined,
    });
  });
});

describe('a log in another store', () => {
  const moved = (isMoved: (index: number) => boolean) =>
    events.map((event, index) => (isMoved(index) ? { ...event, position: `other-${index}` } : event));

  test('has its full pages replaced, and the entries behind them relocated', async () => {
    const { answers, replaced, positions, relocated } = await compared(moved(() => true));
    expect(answers).toEqual(Array<string>(SIZE).fill('recorded'));
    expect(replaced).toEqual([0, 1]);
    expect([...(positions ?? [])]).toEqual(events.slice(0, 512).map((_, index) => [index, `other-${index}`]));
    expect([...(relocated ?? [])]).toEqual(events.slice(512).map((_, at) => [512 + at, `other-${512 + at}`]));
  });

  test.each([
    ['the first of a page', 256, [1]],
    ['the last of a page', 255, [0]],
    ['the first behind the full pages', 512, []],
  ])('is corrected where it moved, and nowhere else: %s', async (_what, one, pages) => {
    const { replaced, positions, relocated } = await compared(moved((index) => index === one));
    expect(replaced).toEqual(pages);
    if (pages.length > 0) {
      expect(positions?.get(one)).toBe(`other-${one}`);
      expect([...(positions ?? [])].filter(([, position]) => position.startsWith('other'))).toHaveLength(1);
      expect(positions?.size).toBe(256);
    }
    expect([...(relocated ?? [])]).toEqual(pages.length > 0 ? [] : [[one, `other-${one}`]]);
  });
});

describe('a log that was changed', () => {
  test('ends too early', async () => {
    const { compared: count, missing } = await compared(events.slice(0, 300));
    expect([count, missing]).toEqual([
      300,
      {
        kind: 'ended',
        index: 300,
        eventId: 'event-300',
        stream: 'token-0',
        revision: 100,
        message: `The log was put back to an older state: entry 300, ${named(300)}: the log ends before it, and the record has 600 entries.`,
      },
    ]);
  });

  const without = (...indexes: number[]) => events.filter((_, index) => !indexes.includes(index));
  const withAt = (index: number, event: RecordedEvent) =>
    events.map((each, at) => (at === index ? event : each));
  const EDITED = 'An event of the log was changed';
  const REPLACED = 'An event of the log was replaced';
  const DROPPED = 'An event is missing in the log';
  const ENDED = 'The log was put back to an older state';
  const tail = (from: number) => [...events.slice(0, from), stranger()];

  test.each<[string, readonly RecordedEvent[], string, number, string]>([
    [
      'data',
      withAt(7, loggedEvent(7, { data: { index: 8 } })),
      'edited',
      7,
      `${EDITED}: entry 7, ${named(7)}: its data, metadata or type are not those that were recorded.`,
    ],
    [
      'metadata',
      withAt(7, loggedEvent(7, { metadata: { actor: 'other' } })),
      'edited',
      7,
      `${EDITED}: entry 7, ${named(7)}: its data, metadata or type are not those that were recorded.`,
    ],
    [
      'an id in another stream',
      withAt(7, loggedEvent(7, { stream: 'token-9' })),
      'replaced',
      7,
      `${REPLACED}: entry 7, ${named(7)}: the event event-7 stands in its place.`,
    ],
    [
      'an id at another revision',
      withAt(7, loggedEvent(7, { revision: 9 })),
      'replaced',
      7,
      `${REPLACED}: entry 7, ${named(7)}: the event event-7 stands in its place.`,
    ],
    [
      'another id at its revision',
      withAt(7, loggedEvent(7, { id: 'other' })),
      'replaced',
      7,
      `${REPLACED}: entry 7, ${named(7)}: the event other stands in its place.`,
    ],
    [
      'another id at the revision of the last',
      withAt(599, loggedEvent(599, { id: 'other' })),
      'replaced',
      599,
      `${REPLACED}: entry 599, ${named(599)}: the event other stands in its place.`,
    ],
    [
      'an event that is gone',
      without(7),
      'dropped',
      7,
      `${DROPPED}: entry 7, ${named(7)}: it is no longer in the log.`,
    ],
    [
      'an event that is gone, and a new one in its place',
      withAt(7, stranger()),
      'dropped',
      7,
      `${DROPPED}: entry 7, ${named(7)}: it is no longer in the log.`,
    ],
    [
      'an event that is gone, and a new one of its stream in its place',
      withAt(7, stranger({ stream: 'token-1', revision: 900 })),
      'dropped',
      7,
      `${DROPPED}: entry 7, ${named(7)}: it is no longer in the log.`,
    ],
    [
      'an event that is gone, and a new one of its revision in its place',
      withAt(7, stranger({ revision: 2 })),
      'dropped',
      7,
      `${DROPPED}: entry 7, ${named(7)}: it is no longer in the log.`,
    ],
    [
      'an event that is gone, and a later one at its revision',
      withAt(7, loggedEvent(8, { stream: 'token-1', revision: 2 })),
      'dropped',
      7,
      `${DROPPED}: entry 7, ${named(7)}: it is no longer in the log.`,
    ],
    [
      'the last event, and a new one in its place',
      withAt(599, stranger()),
      'dropped',
      599,
      `${DROPPED}: entry 599, ${named(599)}: it is no longer in the log.`,
    ],
    [
      'the last events, and the log has gone on',
      tail(590),
      'ended',
      590,
      `${ENDED}: entry 590, ${named(590)}: the log goes on without it and without the last of the record's 600 entries.`,
    ],
    [
      'the last events, and the log has gone on at their revisions',
      [...tail(590), loggedEvent(599, { id: 'new' })],
      'ended',
      590,
      `${ENDED}: entry 590, ${named(590)}: the log goes on without it and without the last of the record's 600 entries.`,
    ],
    [
      'the last event and an earlier one, which a later one follows',
      without(7, 599),
      'dropped',
      7,
      `${DROPPED}: entry 7, ${named(7)}: it is no longer in the log.`,
    ],
  ])('is named by what was changed: %s', async (_what, log, kind, index, message) => {
    const { change, compared: count } = await compared(log);
    expect(change).toEqual({
      kind,
      index,
      eventId: `event-${index}`,
      stream: `token-${index % 3}`,
      revision: Math.floor(index / 3),
      message,
    });
    expect(count).toBe(index);
  });

  test('has an event that was inserted, which is named itself', async () => {
    const { change } = await compared([...events.slice(0, 7), stranger(), ...events.slice(7)]);
    expect(change).toEqual({
      kind: 'inserted',
      index: 7,
      eventId: 'stranger',
      stream: 'token-9',
      revision: 0,
      message: `An event was inserted into the log: entry 7, the event stranger (revision 0 of token-9): it is not in the record, and stands before ${named(7)}.`,
    });
  });

  test('has events in another order', async () => {
    const [seventh, eighth] = [loggedEvent(7), loggedEvent(8)];
    const { change } = await compared([...events.slice(0, 7), eighth, seventh, ...events.slice(9)]);
    expect(change).toEqual({
      kind: 'swapped',
      index: 7,
      eventId: 'event-8',
      stream: 'token-2',
      revision: 2,
      message: `Events of the log stand in another order: entry 7, ${named(8)}: it is entry 8 and stands before ${named(7)}, which is entry 7.`,
    });
  });

  test('has an event in the order of another, which is looked for four pages on', async () => {
    const long = await recordedLog(1_100);
    const first = (index: number) => [loggedEvent(index), ...long.events.filter((_, at) => at !== index)];
    expect((await compared(first(1_024), long)).change?.kind).toBe('swapped');
    expect((await compared(first(1_025), long)).change?.kind).toBe('inserted');
  });

  test('is another one where a revision is read that is no longer the stream’s own', async () => {
    // The store gives the next of the stream where the revision itself is missing.
    const gap = events.filter((_, index) => index !== 9);
    expect((await compared(gap)).change).toMatchObject({ kind: 'dropped', index: 9, eventId: 'event-9' });
    const renumbered = gap.map((event) => (event.id === 'event-12' ? { ...event, id: 'event-9' } : event));
    expect((await compared(renumbered)).change).toMatchObject({ kind: 'dropped', index: 9 });
  });
});
