// A log is compared with the notary's record event by event: the first entry that differs is named, and positions are corrected.
import { describe, expect, test } from 'vitest';
import type { RecordedEvent } from '../../../../src/kernel/ports/event-store.ts';
import { recordedOrder } from '../../../../src/proof/transparency/recorded-order.ts';
import { loggedEvent, recordedLog } from '../../../support/recorded-log.ts';

/** Two full pages, and 88 entries behind them. */
const SIZE = 600;
const { files, events, head } = await recordedLog(SIZE);

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
  `event event-${index} (revision ${Math.floor(index / 3)} of token-${index % 3})`;
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
  const without = (...indexes: number[]) => events.filter((_, index) => !indexes.includes(index));
  const withAt = (index: number, event: RecordedEvent) =>
    events.map((each, at) => (at === index ? event : each));
  const changeAt = (index: number, difference: string) => ({
    index,
    eventId: `event-${index}`,
    stream: `token-${index % 3}`,
    revision: Math.floor(index / 3),
    message: `Entry ${index} differs: ${difference}.`,
  });

  test('ends too early', async () => {
    const { compared: count, missing } = await compared(events.slice(0, 300));
    expect(count).toBe(300);
    expect(missing).toEqual(
      changeAt(300, `the transparency log has ${named(300)} and 600 entries, but the event log ends earlier`),
    );
  });

  test.each([
    ['data', loggedEvent(7, { data: { index: 8 } })],
    ['metadata', loggedEvent(7, { metadata: { actor: 'other' } })],
    ['a type', loggedEvent(7, { type: 'OtherThing' })],
  ])('differs where an event has other %s', async (_what, event) => {
    const { change, compared: count } = await compared(withAt(7, event));
    expect(change).toEqual(
      changeAt(7, `the data, metadata or type of ${named(7)} was changed after its publication`),
    );
    expect(count).toBe(7);
  });

  const moved = 'event event-7 (revision 2 of token-9)';
  test.each<[string, readonly RecordedEvent[], number, string]>([
    ['an id is in another stream', withAt(7, loggedEvent(7, { stream: 'token-9' })), 7, moved],
    [
      'an id is at another revision',
      withAt(7, loggedEvent(7, { revision: 9 })),
      7,
      'event event-7 (revision 9 of token-1)',
    ],
    [
      'another id is at its revision',
      withAt(599, loggedEvent(599, { id: 'other' })),
      599,
      'event other (revision 199 of token-2)',
    ],
    ['an event is gone', without(7), 7, named(8)],
    ['an event is new', events.toSpliced(7, 0, stranger()), 7, 'event stranger (revision 0 of token-9)'],
    ['two events are swapped', events.toSpliced(7, 2, loggedEvent(8), loggedEvent(7)), 7, named(8)],
    [
      'the last events are gone, and the log goes on',
      [...events.slice(0, 590), stranger()],
      590,
      'event stranger (revision 0 of token-9)',
    ],
  ])('differs at the first entry where %s', async (_what, log, index, found) => {
    const { change, compared: count } = await compared(log);
    expect(change).toEqual(
      changeAt(index, `the transparency log has ${named(index)}, but the event log has ${found}`),
    );
    expect(count).toBe(index);
  });
});
