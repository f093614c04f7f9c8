// Decisions on what this process knows of a stream: when the store is asked, and when it is not.
import { describe, expect, test } from 'vitest';
import { EventUndecodable } from '../../../../src/kernel/runtime/event-codec.ts';
import { randomId } from '../../../../src/kernel/runtime/ids.ts';
import { Rejection } from '../../../../src/kernel/runtime/rejection.ts';
import { createStreamCache } from '../../../../src/kernel/runtime/stream-cache.ts';
import { withMethods } from '../../../../src/kernel/runtime/wrap-calls.ts';
import {
  Counted,
  CounterClosed,
  type CounterState,
  causeOf,
  counter,
  executorOn,
  longCounter,
} from '../../../support/counter.ts';
import { quarantineAt, readerOf } from '../../../support/quarantining.ts';
import { temporaryEventStore, wholeLog } from '../../../support/temporary-event-store.ts';
import { type Trouble, withTroubles } from '../../../support/troubled-event-store.ts';

/** A process that knows a stream of which one is counted, and another one of which it does not hear. */
async function world(troubles: readonly Trouble[] = []) {
  const store = await temporaryEventStore();
  const at = { reads: 0 };
  const counted = withMethods(withTroubles(store, troubles).store, {
    read(...given) {
      at.reads += 1;
      return store.read(...given);
    },
  });
  const cache = createStreamCache({ isFollowed: () => true });
  const executor = executorOn(counted, { cache, reader: readerOf(store) });
  const rival = executorOn(store);
  const one = () => [Counted({ by: 1 })];
  await executor.execute(counter, 'a', causeOf(), one);
  at.reads = 0;
  return { at, executor, rival, one, store, log: () => wholeLog(store) };
}

const no = new Rejection('NO', 'conflict', 'No.');
const close = ({ closed }: CounterState) => {
  if (!closed) throw no;
  return [Counted({ by: 7 })];
};

describe('a decision on what is known', () => {
  test('to record nothing is made again by what the store holds, unless the cached state is enough', async () => {
    const { at, executor, rival } = await world();
    await rival.execute(counter, 'a', causeOf(), () => [CounterClosed({})]);
    const ifClosed = ({ closed }: CounterState) => (closed ? [Counted({ by: 7 })] : []);
    const again = await executor.execute(counter, 'a', causeOf(), ifClosed, { trust: 'cached' });
    expect([again.recorded, again.revision, at.reads]).toEqual([[], 0, 0]);
    const now = await executor.execute(counter, 'a', causeOf(), ifClosed);
    expect([now.recorded, at.reads]).toEqual([[Counted({ by: 7 })], 1]);
  });

  test('to refuse is made again by what the store holds, unless the cached state is enough', async () => {
    const { at, executor, rival } = await world();
    await rival.execute(counter, 'a', causeOf(), () => [CounterClosed({})]);
    const again = executor.execute(counter, 'a', causeOf(), close, { trust: 'cached' });
    await expect(again).rejects.toBe(no);
    expect(at.reads).toBe(0);
    expect((await executor.execute(counter, 'a', causeOf(), close)).state.total).toBe(8);
  });

  test('that another writer came before is made by what the store holds, not by the same again', async () => {
    const { at, executor, rival, one, log } = await world();
    await rival.execute(counter, 'a', causeOf(), () => [Counted({ by: 100 })]);
    const seen: number[] = [];
    const { state } = await executor.execute(counter, 'a', causeOf(), ({ total }) => {
      seen.push(total);
      return one();
    });
    expect([seen, state.total, at.reads]).toEqual([[1, 101], 102, 1]);
    expect(await log()).toHaveLength(3);
  });

  test('that another writer came before is made by what was heard of it meanwhile, without a read', async () => {
    const { at, executor, rival, one, log } = await world();
    await rival.execute(counter, 'a', causeOf(), () => [Counted({ by: 100 })]);
    executor.learn(await log());
    const { state } = await executor.execute(counter, 'a', causeOf(), one);
    expect([state.total, at.reads]).toEqual([102, 0]);
  });
});

describe('what is known of a stream', () => {
  test('may be that it does not exist: the append decides', async () => {
    const { at, executor, rival, one } = await world();
    for (const id of ['b', 'c']) await executor.load(counter, id);
    at.reads = 0;
    expect((await executor.execute(counter, 'b', causeOf(), one)).revision).toBe(0);
    expect(at.reads).toBe(0);
    await rival.execute(counter, 'c', causeOf(), () => [Counted({ by: 5 })]);
    expect((await executor.execute(counter, 'c', causeOf(), one)).state.total).toBe(6);
  });

  test('is forgotten when an append may have been written', async () => {
    const { at, executor, one } = await world(['none', 'written', 'written', 'unwritten']);
    await expect(executor.execute(counter, 'a', causeOf(), one)).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
    });
    at.reads = 0;
    expect((await executor.load(counter, 'a', { trust: 'cached' })).state.total).toBe(2);
    expect(at.reads).toBe(1);
  });

  test('is not believed behind an event that cannot be decoded, until that is quarantined', async () => {
    const { executor, one, store } = await world();
    const id = randomId();
    await store.append('counter-a', 0, [{ id, type: 'Counted', data: { by: 'many' }, metadata: {} }]);
    executor.learn(await wholeLog(store));
    const load = () => executor.load(counter, 'a', { trust: 'cached' });
    for (const undecoded of [load, load, () => executor.execute(counter, 'a', causeOf(), one)])
      await expect(undecoded()).rejects.toBeInstanceOf(EventUndecodable);
    await quarantineAt(store, { eventId: id, stream: 'counter-a', revision: 1 });
    expect(await executor.execute(counter, 'a', causeOf(), one)).toMatchObject({
      state: { total: 2 },
      revision: 2,
    });
  });

  test('is of a long stream its end, and no more', async () => {
    const { executor, one } = await world();
    for (let index = 0; index < 250; index += 1) await executor.execute(longCounter, 'b', causeOf(), one);
    const { events, state } = await executor.load(longCounter, 'b', { trust: 'cached' });
    expect(state.total).toBe(250);
    expect(events.length).toBeLessThan(110);
  });
});

describe('a check', () => {
  const requireClosed = ({ closed, total }: CounterState) => {
    if (!closed) throw no;
    return total;
  };

  test('that what is known does not refuse asks the store for nothing', async () => {
    const { at, executor } = await world();
    expect(await executor.check(counter, 'a', ({ total }) => total)).toBe(1);
    expect(at.reads).toBe(0);
  });

  test('refuses nobody by an old state: it is made again by what the store holds', async () => {
    const { at, executor, rival } = await world();
    await rival.execute(counter, 'a', causeOf(), () => [Counted({ by: 6 }), CounterClosed({})]);
    expect(await executor.check(counter, 'a', requireClosed)).toBe(7);
    expect(at.reads).toBe(1);
  });

  test('that the store refuses as well is refused', async () => {
    const { at, executor } = await world();
    await expect(executor.check(counter, 'a', requireClosed)).rejects.toBe(no);
    expect(at.reads).toBe(1);
  });

  test('that fails by a fault of its own is not made again', async () => {
    const { at, executor } = await world();
    const fault = new TypeError('a fault');
    const failing = executor.check(counter, 'a', () => {
      throw fault;
    });
    await expect(failing).rejects.toBe(fault);
    expect(at.reads).toBe(0);
  });
});

describe('an append', () => {
  test('of one event is cached as it is stored, whatever its caller does with it later', async () => {
    const { at, executor, log } = await world();
    const data = { by: 1, note: undefined as string | undefined };
    await executor.execute(counter, 'a', causeOf(), () => [Counted(data as { by: number; note: string })]);
    data.note = 'changed later';
    const { events } = await executor.load(counter, 'a', { trust: 'cached' });
    const stored = (await log()).map(({ id, ...event }) => ({ eventId: id, ...event }));
    expect([events, at.reads]).toStrictEqual([stored, 0]);
  });

  test('of several events forgets the stream: the store returns the position of the last one only', async () => {
    const { at, executor, one } = await world();
    await executor.execute(counter, 'a', causeOf(), () => [...one(), ...one()]);
    expect((await executor.load(counter, 'a', { trust: 'cached' })).state.total).toBe(3);
    expect(at.reads).toBe(1);
  });
});

test('what is to be done before an append is told what was decided on, and if it fails nothing is appended', async () => {
  const { executor, one, log } = await world();
  const told: unknown[] = [];
  const failing = executor.execute(counter, 'a', causeOf(), one, {
    async beforeAppend({ state, revision }) {
      told.push(state.total, revision);
      throw no;
    },
  });
  await expect(failing).rejects.toBe(no);
  expect(told).toEqual([1, 0]);
  expect(await log()).toHaveLength(1);
  await executor.execute(counter, 'a', causeOf(), () => [], {
    beforeAppend: async () => void told.push('nothing is appended'),
  });
  expect(told).toHaveLength(2);
});
