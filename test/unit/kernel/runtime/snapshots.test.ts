// A snapshot is believed only if it is of this form and of this history, and written only where it saves reading.
import { describe, expect, test } from 'vitest';
import type {
  EventToAppend,
  ExpectedRevision,
  RecordedEvent,
} from '../../../../src/kernel/ports/event-store.ts';
import { createSnapshots, SnapshotTaken } from '../../../../src/kernel/runtime/snapshots.ts';
import { causeOf, clock, codec, counter, longCounter } from '../../../support/counter.ts';

const RULES = longCounter.snapshots;
if (RULES === undefined) throw new Error('the long counter has snapshots');
const { every } = RULES;
const STATE = { total: 30, closed: false };

/** The snapshot of a counter at a revision; as another writer might have made it, where that is given. */
function taken(data: Partial<ReturnType<typeof SnapshotTaken>['data']> = {}) {
  return SnapshotTaken({ revision: 9, eventId: idAt(9), stateVersion: 1, state: STATE, ...data });
}

function idAt(revision: number): string {
  return `00000000-0000-4000-8000-${String(revision).padStart(12, '0')}`;
}

function stored(event: EventToAppend, stream: string, revision: number): RecordedEvent {
  return { ...event, stream, revision, position: String(revision) };
}

/** `last`: the snapshot that is stored. `history`: the id of the counter's event at each revision. */
function open({ last = undefined as EventToAppend | undefined, history = idAt, fails = false } = {}) {
  const appended: { stream: string; expected: ExpectedRevision; events: readonly EventToAppend[] }[] = [];
  const kept: [string, number][] = [];
  const read: [string, number | undefined][] = [];
  const snapshots = createSnapshots({
    codec,
    now: clock.now,
    async read(stream, from) {
      read.push([stream, from]);
      if (fails) throw new Error('the store does not answer');
      if (stream === 'snapshot-counter-a') return last === undefined ? [] : [stored(last, stream, 4)];
      const event = { id: history(from ?? 0), type: 'Counted', data: { by: 1 }, metadata: {} };
      return [stored(event, stream, from ?? 0)];
    },
    store: {
      async append(stream, expected, events) {
        appended.push({ stream, expected, events });
        return { outcome: 'appended', revision: 5, position: '6' };
      },
      async keepLast(stream, count) {
        kept.push([stream, count]);
      },
    },
  });
  return { snapshots, appended, kept, read };
}

const encoded = (event: ReturnType<typeof SnapshotTaken>): EventToAppend =>
  codec.encode('snapshot', idAt(99), event, { ...causeOf(), occurredAt: clock.now().toISOString() });

const take = ({ snapshots }: ReturnType<typeof open>, revision: number, state: unknown = STATE) =>
  snapshots.take(longCounter, 'counter-a', {
    state: state as typeof STATE,
    revision,
    eventId: idAt(revision),
  });

describe('the latest snapshot', () => {
  const latest = (last: EventToAppend | undefined, stream = longCounter) =>
    open({ last }).snapshots.latest(stream, 'counter-a');

  test('gives the state, and the event that it includes last', async () => {
    expect(await latest(encoded(taken()))).toEqual({ state: STATE, revision: 9, eventId: idAt(9) });
    expect(await latest(undefined)).toBeUndefined();
  });

  test('is not looked for where a stream has none', async () => {
    const { snapshots, read } = open({ last: encoded(taken()) });
    expect(await snapshots.latest(counter, 'counter-a')).toBeUndefined();
    expect(read).toEqual([]);
  });

  test.each([
    ['of another version of the rules', encoded(taken({ stateVersion: 2 }))],
    ['whose state does not fit', encoded(taken({ state: { total: 'much', closed: false } }))],
    ['that a newer release has written in its own way', { ...encoded(taken()), data: { revision: 'nine' } }],
    ['of a kind that this release does not know', { ...encoded(taken()), type: 'SnapshotCompressed' }],
  ])('is not believed: one %s', async (_name, last) => {
    expect(await latest(last)).toBeUndefined();
  });

  test('of a store that does not answer is not taken for none', async () => {
    await expect(open({ fails: true }).snapshots.latest(longCounter, 'counter-a')).rejects.toThrow(
      'not answer',
    );
  });
});

describe('a snapshot is written', () => {
  test('behind the last one, by the service, with what led to it; and only it is kept', async () => {
    const scene = open({ last: encoded(taken({ revision: 1, eventId: idAt(1) })) });
    await take(scene, 9);
    expect(scene.appended).toMatchObject([{ stream: 'snapshot-counter-a', expected: 4 }]);
    expect(scene.appended[0]?.events).toMatchObject([
      {
        type: 'SnapshotTaken',
        data: { revision: 9, eventId: idAt(9), stateVersion: 1, state: STATE },
        metadata: { causationId: idAt(9), actor: 'service:snapshots', occurredAt: clock.now().toISOString() },
      },
    ]);
    expect(scene.kept).toEqual([['snapshot-counter-a', 1]]);
  });

  test('first where there was none', async () => {
    const scene = open();
    await take(scene, 9);
    expect(scene.appended).toMatchObject([{ expected: 'none' }]);
  });

  test.each([
    [9 + every - 1, 0],
    [9 + every, 1],
  ])('not sooner than after so many events: at revision %i, %i are written', async (revision, times) => {
    const scene = open({ last: encoded(taken()) });
    await take(scene, revision);
    expect(scene.appended).toHaveLength(times);
  });

  test.each([
    ['is of another version', taken({ stateVersion: 2 }), idAt],
    ['does not fit', taken({ state: { total: 'much' } }), idAt],
    ['is of another history', taken(), (revision: number) => idAt(revision + 100)],
  ])('at once where the last one %s', async (_name, last, history) => {
    const scene = open({ last: encoded(last), history });
    await take(scene, 10);
    expect(scene.appended).toHaveLength(1);
  });

  test('at once where the stream is shorter than the last one says', async () => {
    const scene = open({ last: encoded(taken()), history: idAt });
    const shorter = createShorter(scene);
    await shorter.take(longCounter, 'counter-a', { state: STATE, revision: 8, eventId: idAt(8) });
    expect(scene.appended).toHaveLength(1);
  });

  test('never of a state that does not fit, nor of a stream without snapshots', async () => {
    const scene = open();
    await take(scene, 9, { total: 'much', closed: false });
    await scene.snapshots.take(counter, 'counter-a', { state: STATE, revision: 9, eventId: idAt(9) });
    expect([scene.appended, scene.read]).toEqual([[], []]);
  });
});

/** The counter ends before the event of the last snapshot. */
function createShorter({ appended }: ReturnType<typeof open>) {
  return createSnapshots({
    codec,
    now: clock.now,
    read: async (stream) => (stream === 'snapshot-counter-a' ? [stored(encoded(taken()), stream, 4)] : []),
    store: {
      async append(stream, expected, events) {
        appended.push({ stream, expected, events });
        return { outcome: 'appended', revision: 5, position: '6' };
      },
      async keepLast() {},
    },
  });
}
