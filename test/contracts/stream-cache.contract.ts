/** Events that a process receives from its store are cached; decisions on cached streams are in the unit tests of `execute`. */
import { describe, expect, onTestFinished, test } from 'vitest';
import type { EventStore } from '../../src/kernel/ports/event-store.ts';
import { silentLogger } from '../../src/kernel/ports/logger.ts';
import { createLogFollower } from '../../src/kernel/runtime/log-follower.ts';
import { createStreamCache } from '../../src/kernel/runtime/stream-cache.ts';
import { withMethods } from '../../src/kernel/runtime/wrap-calls.ts';
import { Counted, type CounterState, causeOf, counter, executorOn } from '../support/counter.ts';
import { eventually } from '../support/eventually.ts';
import { wholeLog } from '../support/temporary-event-store.ts';

const CACHED = { trust: 'cached' } as const;

/** Opens a new log; each call of what it gives is another process's connection to it. */
export type OpenLog = () => Promise<() => Promise<EventStore>>;

/** Simulates a process of the service: own memory, updated by its subscription to the log. */
async function startProcess(store: EventStore) {
  const reads: string[] = [];
  const counted = withMethods(store, {
    read(stream, from) {
      reads.push(stream);
      return store.read(stream, from);
    },
  });
  const follower = createLogFollower({
    store,
    categories: ['counter', 'other'],
    learn: (events) => cache.learn(events),
    trouble: () => undefined,
    logger: silentLogger,
  });
  const cache = createStreamCache({ isFollowed: () => follower.isFollowed() });
  const executor = executorOn(counted, { cache });
  await follower.start();
  onTestFinished(follower.stop);
  await eventually('it follows the log', async () => follower.isFollowed());
  return {
    executor,
    /** Streams that the store was asked for since the last call. */
    reads: () => reads.splice(0),
    count: (id: string, by = 1) => executor.execute(counter, id, causeOf(), () => [Counted({ by })]),
    hasHeard: (id: string, total: number) =>
      eventually(`${total} is heard of ${id}`, async () => {
        reads.splice(0);
        return (await executor.load(counter, id, CACHED)).state.total === total && reads.length === 0;
      }),
  };
}

export function streamCacheContract(what: string, openLog: OpenLog): void {
  const two = async () => {
    const connect = await openLog();
    const store = await connect();
    return { own: await startProcess(store), other: await startProcess(await connect()), store };
  };

  describe(`what a process knows of streams on ${what}`, () => {
    test('is what it has appended itself, as the store shows it: it decides on it without asking', async () => {
      const { own, store } = await two();
      await own.count('a', 2);
      own.reads();
      expect(await own.count('a', 3)).toMatchObject({ state: { total: 5 }, revision: 1 });
      expect(own.reads()).toEqual([]);
      const known = await own.executor.load(counter, 'a', CACHED);
      expect(known.events).toEqual((await own.executor.load(counter, 'a')).events);
      expect(known.position).toBe((await wholeLog(store)).at(-1)?.position);
    });

    test('is what others record, from the first event on', async () => {
      const { own, other } = await two();
      await other.count('a', 7);
      await own.hasHeard('a', 7);
      expect((await own.count('a')).state.total).toBe(8);
      expect(own.reads()).toEqual([]);
    });

    test('lets two processes race for one stream a thousand times: each decides on the very state that it appends to', async () => {
      const { own, other, store } = await two();
      const decided = ({ total }: CounterState) => [Counted({ by: 1, note: String(total) })];
      const race = async ({ executor }: typeof own) => {
        for (let turn = 0; turn < 500; turn += 1) await executor.execute(counter, 'a', causeOf(), decided);
      };
      await Promise.all([race(own), race(other)]);
      const notes = (await wholeLog(store)).map(({ data }) => data.note);
      expect(notes).toEqual(Array.from({ length: 1_000 }, (_, total) => String(total)));
      await own.hasHeard('a', 1_000);
      await other.hasHeard('a', 1_000);
    });
  });
}
