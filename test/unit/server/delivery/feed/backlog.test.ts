// Reads of the backlog: one at a time, networks in turn, with a rest after each.
import { expect, test } from 'vitest';
import type { EventStore, SubscriptionMessage } from '../../../../../src/kernel/ports/event-store.ts';
import { createBacklogReader } from '../../../../../src/server/delivery/feed/backlog.ts';
import { only } from '../../../../support/run-examples.ts';

const turns = () => new Promise((resolve) => setImmediate(resolve));
const from = (source: string, isHere = () => true) => ({ source, isHere });

/** A log whose looks end when the test says so. */
function heldLog() {
  const begun: string[] = [];
  const rests: number[] = [];
  let now = 0;
  const held = new Map<string, { finish: () => void; fail: () => void }>();
  const subscribe: EventStore['subscribe'] = async function* ({
    after,
  }): AsyncGenerator<SubscriptionMessage> {
    begun.push(after);
    await new Promise<void>((resolve, reject) => {
      held.set(after, { finish: resolve, fail: () => reject(new Error(`no look at ${after}`)) });
    });
    yield { kind: 'caught-up', position: `${after}-end` };
  };
  const store = only<EventStore>('a look', { subscribe });
  const readBacklog = createBacklogReader({
    store,
    categories: ['token'],
    readFrames: async (events) => ({ frames: [], recorded: [], passed: events, undecodable: undefined }),
    signal: new AbortController().signal,
    pause: async (milliseconds) => void rests.push(milliseconds),
    now: () => now,
  });
  return {
    readBacklog,
    begun,
    rests,
    /** The read of this place ends after so many milliseconds. */
    async finish(place: string, milliseconds = 0) {
      now += milliseconds;
      held.get(place)?.finish();
      await turns();
    },
    fail: (place: string) => held.get(place)?.fail(),
  };
}

test('are one at a time, and networks take turns', async () => {
  const { readBacklog, begun, finish } = heldLog();
  const results = ['00', '01', '02'].map((place) => readBacklog(place, from('one')));
  results.push(readBacklog('03', from('other')));
  await turns();
  expect(begun).toEqual(['00']);
  for (const place of ['00', '01', '03', '02']) await finish(place);
  expect(begun).toEqual(['00', '01', '03', '02']);
  expect(await Promise.all(results)).toEqual(
    ['00', '01', '02', '03'].map((place) => ({ frames: [], position: `${place}-end` })),
  );
});

test('rest for as long as the read before took, but not for long after a slow one', async () => {
  const { readBacklog, finish, rests } = heldLog();
  for (const [place, took] of [
    ['00', 3],
    ['01', 5_000],
    ['02', 0],
  ] as const) {
    const read = readBacklog(place, from('one'));
    await turns();
    await finish(place, took);
    await read;
  }
  expect(rests).toEqual([0, 3, 20]);
});

test('one that fails lets the next begin', async () => {
  const { readBacklog, begun, finish, fail } = heldLog();
  const failing = readBacklog('00', from('one'));
  const waiting = readBacklog('01', from('one'));
  await turns();
  fail('00');
  await expect(failing).rejects.toThrow('no look at 00');
  await turns();
  expect(begun).toEqual(['00', '01']);
  await finish('01');
  await waiting;
});

test('are not made for those who left before their turn', async () => {
  const { readBacklog, begun, finish } = heldLog();
  const gone = from('one', () => false);
  const reads = [readBacklog('00', from('one')), readBacklog('01', gone), readBacklog('02', from('other'))];
  await turns();
  await finish('00');
  await finish('02');
  expect((await Promise.all(reads)).map(({ position }) => position)).toEqual(['00-end', '01', '02-end']);
  expect(begun).toEqual(['00', '02']);
});
