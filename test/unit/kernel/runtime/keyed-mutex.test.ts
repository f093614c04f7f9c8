// Work with the same key runs serially; nothing else waits for it, and nothing of it is retained.
import { describe, expect, test } from 'vitest';
import { createKeyedMutex } from '../../../../src/kernel/runtime/keyed-mutex.ts';
import { deferred } from '../../../support/deferred.ts';

/** Work that ends when the test says so, and tells when it began. */
function heldWork(name: string, happened: string[]) {
  const { promise: ending, resolve, reject } = deferred<string>();
  return {
    async work(): Promise<string> {
      happened.push(`${name} begins`);
      try {
        return await ending;
      } finally {
        happened.push(`${name} ends`);
      }
    },
    succeed: () => resolve(name),
    fail: () => reject(new Error(name)),
  };
}

/** Everything that could go on without the test's doing has gone on. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('work with the same key', () => {
  test('runs serially, in the order of the calls, however soon it could end', async () => {
    const happened: string[] = [];
    const mutex = createKeyedMutex({});
    const works = ['first', 'second', 'third'].map((name) => heldWork(name, happened));
    const results = works.map(({ work }) => mutex.run('key', work));
    for (const { succeed } of works.toReversed()) {
      await settled();
      expect(happened).toEqual(['first begins']);
      succeed();
    }
    expect(await Promise.all(results)).toEqual(['first', 'second', 'third']);
    expect(happened).toEqual([
      'first begins',
      'first ends',
      'second begins',
      'second ends',
      'third begins',
      'third ends',
    ]);
  });

  test('runs after work that failed, whose error is its own', async () => {
    const happened: string[] = [];
    const mutex = createKeyedMutex({});
    const [bad, good] = [heldWork('bad', happened), heldWork('good', happened)];
    const results = Promise.allSettled([mutex.run('key', bad.work), mutex.run('key', good.work)]);
    bad.fail();
    good.succeed();
    expect(await results).toEqual([
      { status: 'rejected', reason: new Error('bad') },
      { status: 'fulfilled', value: 'good' },
    ]);
    expect(happened).toEqual(['bad begins', 'bad ends', 'good begins', 'good ends']);
  });

  test('does not delay work with another key', async () => {
    const happened: string[] = [];
    const mutex = createKeyedMutex({});
    const held = heldWork('held', happened);
    const waiting = mutex.run('one', held.work);
    expect(await mutex.run('other', async () => 'done')).toBe('done');
    expect(happened).toEqual(['held begins']);
    held.succeed();
    expect(await waiting).toBe('held');
  });

  test('frees the key after its longest hold, so that work that hangs does not block the rest', async () => {
    const happened: string[] = [];
    const mutex = createKeyedMutex({ longestHold: 10 });
    void mutex.run('key', heldWork('hanging', happened).work);
    expect(await mutex.run('key', async () => 'served')).toBe('served');
    expect(happened).toEqual(['hanging begins']);
  });

  test('is not run if the key is not free in time, and neither is what was waiting behind it', async () => {
    const overdue = () => new Error('overdue');
    const mutex = createKeyedMutex({ patience: { milliseconds: 20, overdue } });
    const hanging = heldWork('hanging', []);
    const first = mutex.run('key', hanging.work);
    const ran: string[] = [];
    const waiting = ['second', 'third'].map((name) => mutex.run('key', async () => void ran.push(name)));
    for (const each of waiting) await expect(each).rejects.toThrow('overdue');
    // They have stopped waiting, but the key is still held.
    await expect(mutex.run('key', async () => void ran.push('fourth'))).rejects.toThrow('overdue');
    expect(ran).toEqual([]);
    hanging.succeed();
    expect(await first).toBe('hanging');
    expect(await mutex.run('key', async () => 'served')).toBe('served');
  });

  test('is reported as held from its call to its end', async () => {
    const mutex = createKeyedMutex({});
    const held = heldWork('held', []);
    const running = mutex.run('key', held.work);
    expect([mutex.isHeld('key'), mutex.isHeld('other')]).toEqual([true, false]);
    held.succeed();
    await running;
    await settled();
    expect(mutex.isHeld('key')).toBe(false);
  });
});
