// The cached part of a stream equals that part of the stored stream, without additions and gaps.
import { describe, expect, test } from 'vitest';
import type { RecordedEvent } from '../../../../src/kernel/ports/event-store.ts';
import { createStreamCache } from '../../../../src/kernel/runtime/stream-cache.ts';

/** An event of a stream, by its revision: the same one each time. */
function event(revision: number, { stream = 'a', note = '' } = {}): RecordedEvent {
  return {
    id: `${stream}-${revision}`,
    type: 'Counted',
    data: { note },
    metadata: {},
    stream,
    revision,
    position: String(revision),
  };
}

/** The first so many events of a stream. */
const upTo = (count: number, of: Parameters<typeof event>[1] = {}) =>
  Array.from({ length: count }, (_, revision) => event(revision, of));

const read = (stored: readonly RecordedEvent[]) => ({ base: undefined, stored });

function open(options: Partial<Parameters<typeof createStreamCache>[0]> = {}) {
  const streams = createStreamCache({ isFollowed: () => true, ...options });
  return {
    ...streams,
    /** Of which streams something is known. */
    known: (...names: readonly string[]) => names.filter((name) => streams.current(name) !== undefined),
    revisions: (name = 'a') => streams.current(name)?.stored.map(({ revision }) => revision),
  };
}

describe('what is told of a stream', () => {
  test('is remembered from its first event on, in order, and once', () => {
    const { learn, revisions } = open();
    learn(upTo(2));
    learn(upTo(3));
    expect(revisions()).toEqual([0, 1, 2]);
  });

  test('is not enough without its beginning', () => {
    const { learn, revisions } = open();
    learn([event(3)]);
    expect(revisions()).toBeUndefined();
  });

  test('forgets it where something was missed', () => {
    const { learn, revisions } = open();
    learn([event(0), event(2)]);
    expect(revisions()).toBeUndefined();
  });

  test('is forgotten when it grows and is never asked for: it would take the place of what is', () => {
    const { learn, revisions, keep, latest } = open();
    const folded = { loaded: { events: [] } as never, count: 100 };
    for (const name of ['heard', 'asked']) learn(upTo(100, { stream: name }));
    keep('asked', { ...read(latest('asked')?.stored ?? []), folded });
    for (const name of ['heard', 'asked'])
      learn([event(100, { stream: name }), event(101, { stream: name })]);
    expect(revisions('heard')).toBeUndefined();
    expect(revisions('asked')).toHaveLength(102);
  });

  test('is believed only while others are heard, and kept for then', () => {
    let isFollowed = false;
    const { learn, current, latest } = open({ isFollowed: () => isFollowed });
    learn(upTo(1));
    expect([current('a'), latest('a')?.stored]).toEqual([undefined, upTo(1)]);
    isFollowed = true;
    expect(current('a')?.stored).toEqual(upTo(1));
  });
});

describe('a read', () => {
  test('that took longer than what was told meanwhile brings back no older state', () => {
    const { keep, learn, revisions } = open();
    learn(upTo(2));
    expect(keep('a', read(upTo(1))).stored).toEqual(upTo(2));
    expect(revisions()).toEqual([0, 1]);
  });

  test('is what it showed where the latter is remembered from a later event on', () => {
    const { keep, revisions } = open();
    keep('a', { base: { state: {}, revision: 5, eventId: event(5).id }, stored: [event(5), event(6)] });
    expect(keep('a', read(upTo(6))).stored).toEqual(upTo(6));
    expect(revisions()).toEqual([5, 6]);
  });
});

describe('memory', () => {
  const names = Array.from({ length: 100 }, (_, index) => `s${index}`);
  const note = 'x'.repeat(400);
  /** Streams that are remembered of a hundred, with room for twenty thousand bytes. */
  const remembered = (remember: (streams: ReturnType<typeof open>, name: string) => unknown) => {
    const streams = open({ maxBytes: 20_000 });
    for (const name of names) remember(streams, name);
    return streams.known(...names);
  };

  test('is bounded for what is told, what is read, and states of long streams', () => {
    const told = remembered(({ learn }, stream) => learn([event(0, { stream, note })]));
    expect(told.length).toBeGreaterThan(5);
    expect(told.length).toBeLessThan(50);
    expect(remembered(({ keep }, stream) => keep(stream, read([event(0, { stream, note })])))).toEqual(told);
    const ofLong = remembered(({ keep }, stream) =>
      keep(stream, {
        base: { state: { note }, revision: 0, eventId: '' },
        stored: [event(0, { stream })],
      }),
    );
    expect(ofLong.length).toBeLessThan(50);
  });

  test('is bounded for streams that do not exist', () => {
    const absent = remembered(({ keep }, stream) => keep(stream, read([])));
    expect(absent.length).toBeLessThan(80);
    expect(absent.at(-1)).toBe('s99');
  });
});
