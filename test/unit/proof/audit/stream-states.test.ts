// The state of any stream at any place of the log, whether it is kept or has to be folded again.
import { describe, expect, test } from 'vitest';
import type { RecordedEvent } from '../../../../src/kernel/ports/event-store.ts';
import { createEventCodec, type Recorded } from '../../../../src/kernel/runtime/event-codec.ts';
import { randomId } from '../../../../src/kernel/runtime/ids.ts';
import { createStreamStates } from '../../../../src/proof/audit/log/stream-states.ts';
import { logOf } from '../../../support/comparing.ts';
import { Counted, causeOf, counter } from '../../../support/counter.ts';

const codec = createEventCodec([counter]);
const stream = 'counter-a';

/** Counted by these numbers, a minute after each other; a text is the type of an event that nobody can decode. */
const events = [1, 2, 'Unknown', 3].map((by, revision): RecordedEvent => {
  const metadata = { ...causeOf(), occurredAt: `2026-05-04T10:0${revision}:00.000Z` };
  const counted = codec.encode('counter', randomId(), Counted({ by: Number(by) || 1 }), metadata);
  return {
    ...counted,
    ...(typeof by === 'string' && { type: by }),
    stream,
    revision,
    position: String(revision + 1),
  };
});

function statesOf(cachedEvents?: number) {
  let reads = 0;
  const log = logOf(events);
  const states = createStreamStates({
    log: {
      stream(...asked) {
        reads += 1;
        return log.stream(...asked);
      },
    },
    codec,
    streams: [counter],
    ...(cachedEvents === undefined ? {} : { cachedEvents }),
  });
  return { ...states, reads: () => reads };
}
const total = (sum: number) => ({ total: sum, closed: false });
const at = (revision: number): RecordedEvent => {
  const event = events[revision];
  if (event === undefined) throw new Error(`there is no event ${revision}`);
  return event;
};
const recorded = (revision: number) => codec.decode(at(revision)) as Recorded;

describe('the state before an event', () => {
  test('is that of the events before it, of which those that cannot be decoded are passed over', async () => {
    const states = statesOf();
    expect(await states.before(at(1))).toEqual({ state: total(1), revision: 0 });
    expect(await states.before(at(3))).toEqual({ state: total(3), revision: 2 });
  });

  test('counts no event that stands behind it, whatever its revision says', async () => {
    const states = statesOf();
    expect(await states.before({ stream, revision: 4, position: '2' })).toEqual({
      state: total(1),
      revision: 0,
    });
  });

  test('is that before an event that was passed over', async () => {
    const states = statesOf();
    states.pass(states.apply(await states.before(at(0)), recorded(0)), at(2));
    expect(await states.before(at(3))).toEqual({ state: total(1), revision: 2 });
  });
});

test('a stream of a category without rules has no state', async () => {
  const states = statesOf();
  const found = await states.before({ stream: 'other-1', revision: 0, position: '1' });
  expect(found).toEqual({ state: undefined, revision: -1 });
  expect(states.apply(found, { ...recorded(0), stream: 'other-1' })).toEqual({
    state: undefined,
    revision: 0,
  });
});

test('a state right before a position is the one that is kept, or is folded again', async () => {
  const folded = statesOf();
  expect(await folded.at(stream, '2')).toEqual({ state: total(1), revision: 0 });
  expect(await folded.at(stream, '9')).toEqual({ state: total(6), revision: 3 });
  const kept = statesOf();
  kept.apply(await kept.before(at(0)), recorded(0));
  expect(await kept.at(stream, '2')).toEqual({ state: total(1), revision: 0 });
  expect(kept.reads()).toBe(0);
});

describe('the states since a time', () => {
  test('are the one in which the stream was then, and each after it, up to a position', async () => {
    const { since } = statesOf();
    expect(await since(stream, '2026-05-04T10:01:00.000Z', '9')).toEqual([1, 3, 3, 6].map(total));
    expect(await since(stream, '2026-05-04T10:01:00.000Z', '2')).toEqual([total(1)]);
    expect(await since(stream, '2026-05-04T10:00:00.000Z', '2')).toEqual([total(0), total(1)]);
  });
});

test('no more states are kept than there is room for: those used least recently are folded again', async () => {
  const states = statesOf(400);
  // Each counts as four, as long as a stream is; a hundred of them fill the room.
  for (let index = 0; index <= 200; index += 1)
    states.apply({ state: counter.initial, revision: 1 }, { ...recorded(3), stream: `counter-${index}` });
  expect(await states.before({ stream: 'counter-200', revision: 4, position: '9' })).toMatchObject({
    revision: 3,
  });
  expect(states.reads()).toBe(0);
  expect(await states.before({ stream: 'counter-0', revision: 4, position: '9' })).toMatchObject({
    revision: -1,
  });
  expect(states.reads()).toBe(1);
});
