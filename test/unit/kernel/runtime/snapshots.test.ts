// A snapshot is believed only if it is of this form and of this history, and only the last one is retained.
import { describe, expect, test } from 'vitest';
import type {
  EventToAppend,
  ExpectedRevision,
  RecordedEvent,
} from '../../../../src/kernel/ports/event-store.ts';
import { createSnapshots, SnapshotTaken } from '../../../../src/kernel/runtime/snapshots.ts';
import { causeOf, clock, codec, counter, longCounter } from '../../../support/counter.ts';

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

/** `last`: the snapshot that is stored. */
function open({ last = undefined as EventToAppend | undefined, fails = false } = {}) {
  const appended: { stream: string; expected: ExpectedRevision; events: readonly EventToAppend[] }[] = [];
  const kept: [string, number][] = [];
  const read: [string, number | undefined][] = [];
  const snapshots = createSnapshots({
    codec,
    now: clock.now,
    async read(stream, from) {
      read.push([stream, from]);
      if (fails) throw new Error('the store does not answer');
      return last === undefined ? [] : [stored(last, stream, 4)];
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
    expect(await latest(encoded(taken()))).toMatchObject({ state: STATE, revision: 9, eventId: idAt(9) });
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
});
