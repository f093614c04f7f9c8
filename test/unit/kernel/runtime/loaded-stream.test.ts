// A stream is the same from its first event and from a milestone, and a milestone of another history is not taken.
import { describe, expect, test } from 'vitest';
import type { Recorded } from '../../../../src/kernel/runtime/event-codec.ts';
import { findLast } from '../../../../src/kernel/runtime/find-last.ts';
import { type Known, loadedFrom, type StreamEnd } from '../../../../src/kernel/runtime/loaded-stream.ts';
import { type CounterEvent, causeOf, counter } from '../../../support/counter.ts';

const counted = (revision: number, by = 1): Recorded<CounterEvent> => ({
  type: 'Counted',
  data: { by },
  eventId: `event ${revision}`,
  stream: 'counter-a',
  revision,
  position: String(revision + 100),
  metadata: { ...causeOf('command'), occurredAt: 'then', schemaVersion: 1 },
});

/** The stream from a revision on, as it is stored, without those that are quarantined. */
function endOf(from: number, length: number, quarantined: readonly number[] = []): StreamEnd {
  const stored = Array.from({ length: length - from }, (_, index) => counted(from + index));
  const last = stored.at(-1);
  return {
    events: stored.filter(({ revision }) => !quarantined.includes(revision)),
    first: stored[0] && { ...stored[0], id: stored[0].eventId },
    last: last && { ...last, id: last.eventId },
  };
}

const state = (total: number) => ({ total, closed: false });
const milestone = { state: state(30), revision: 2, eventId: 'event 2' };

describe('a stream', () => {
  test('without events is in its first state, at no revision and no position', () => {
    expect(loadedFrom(counter, endOf(0, 0), undefined)).toMatchObject({
      state: state(0),
      revision: 'none',
      position: undefined,
    });
  });

  test('is folded from its first event', () => {
    expect(loadedFrom(counter, endOf(0, 5), undefined)).toMatchObject({
      state: state(5),
      revision: 4,
      position: '104',
    });
  });

  test('is folded from a milestone, whose own event is not folded again', () => {
    expect(loadedFrom(counter, endOf(2, 5), milestone)).toMatchObject({ state: state(32), revision: 4 });
    expect(loadedFrom(counter, endOf(2, 3), milestone)).toMatchObject({ state: state(30), revision: 2 });
  });

  test('has the revision of its last event also when that is quarantined', () => {
    const loaded = loadedFrom(counter, endOf(0, 5, [4]), undefined);
    expect(loaded).toMatchObject({ state: state(4), revision: 4, position: '104' });
  });

  test('is known as it was right after any of its events', () => {
    const loaded = loadedFrom(counter, endOf(2, 5), milestone);
    expect(loaded?.events.map((event) => loaded.stateAfter(event))).toEqual([
      state(30),
      state(31),
      state(32),
    ]);
  });

  test.each<[string, StreamEnd]>([
    ['is not there', endOf(0, 0)],
    ['is another event', { ...endOf(2, 5), first: { revision: 2, id: 'another' } }],
    ['is at another revision', { ...endOf(2, 5), first: { revision: 1, id: 'event 2' } }],
  ])('is not taken from a milestone whose event %s', (_name, end) => {
    expect(loadedFrom(counter, end, milestone)).toBeUndefined();
  });
});

describe('the last event that matches', () => {
  /** A stream of so many events, of which the last one was loaded. */
  function searching(length: number) {
    const windows: number[] = [];
    const loaded = loadedFrom(counter, endOf(Math.max(0, length - 1), length), undefined) as Known<
      { total: number; closed: boolean },
      CounterEvent
    >;
    const readFrom = async (from: number) => {
      windows.push(length - from);
      return endOf(from, length);
    };
    return {
      windows,
      find: (search: Parameters<typeof findLast<unknown, CounterEvent, 'Counted'>>[1]) =>
        findLast(loaded, search, readFrom),
    };
  }

  test('is found in what is loaded, without another look', async () => {
    const { find, windows } = searching(5_000);
    expect(await find({ type: 'Counted' })).toMatchObject({ event: { revision: 4_999 }, revision: 4_999 });
    expect(windows).toEqual([]);
  });

  test('is looked for in windows that grow, up to the first event', async () => {
    const { find, windows } = searching(5_000);
    const isFirst = ({ revision }: { readonly revision: number }) => revision === 0;
    expect(await find({ type: 'Counted', matches: isFirst })).toMatchObject({ event: { revision: 0 } });
    expect(windows).toEqual([100, 1_000, 5_000]);
    expect(await find({ type: 'Counted', matches: () => false })).toEqual({
      event: undefined,
      revision: 4_999,
    });
  });

  test('is not looked for before `after`, which is exclusive', async () => {
    const { find, windows } = searching(5_000);
    const never = { type: 'Counted', matches: () => false } as const;
    expect(await find({ ...never, after: '5050' })).toEqual({ event: undefined, revision: 4_999 });
    expect(windows).toEqual([100]);
    expect((await find({ type: 'Counted', after: '5099' })).event).toBeUndefined();
    expect((await find({ type: 'Counted', after: '5098' })).event?.revision).toBe(4_999);
  });

  test('of a stream without events is none', async () => {
    const { find, windows } = searching(0);
    expect(await find({ type: 'Counted' })).toEqual({ event: undefined, revision: 'none' });
    expect(windows).toEqual([]);
  });
});
