// Work with the same key runs one after another; nothing else waits for it, and nothing of it is kept.
import { describe, expect, test } from 'vitest';
import { createTurns } from '../../../../src/kernel/runtime/turns.ts';

/** Work that ends when the test says so, and tells when it began. */
function heldWork(name: string, happened: string[]) {
  let succeed: (value: string) => void = () => {};
  let fail: (error: Error) => void = () => {};
  const ending = new Promise<string>((resolve, reject) => {
    succeed = resolve;
    fail = reject;
  });
  return {
    async work(): Promise<string> {
      happened.push(`${name} begins`);
      try {
        return await ending;
      } finally {
        happened.push(`${name} ends`);
      }
    },
    succeed: () => succeed(name),
    fail: () => fail(new Error(name)),
  };
}

/** Everything that could go on without the test's doing has gone on. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('turns', () => {
  test('are taken in the order in which the work came, one at a time, however soon it could end', async () => {
    const happened: string[] = [];
    const turns = createTurns();
    const works = ['first', 'second', 'third'].map((name) => heldWork(name, happened));
    const results = works.map(({ work }) => turns.take('key', work));
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

  test('begin at once where nobody has one', () => {
    const happened: string[] = [];
    void createTurns().take('key', heldWork('first', happened).work);
    expect(happened).toEqual(['first begins']);
  });

  test('go on after work that failed, whose error is its own', async () => {
    const happened: string[] = [];
    const turns = createTurns();
    const [bad, good] = [heldWork('bad', happened), heldWork('good', happened)];
    const results = Promise.allSettled([turns.take('key', bad.work), turns.take('key', good.work)]);
    bad.fail();
    good.succeed();
    expect(await results).toEqual([
      { status: 'rejected', reason: new Error('bad') },
      { status: 'fulfilled', value: 'good' },
    ]);
    expect(happened).toEqual(['bad begins', 'bad ends', 'good begins', 'good ends']);
  });

  test('go on after work that threw before it gave a promise', async () => {
    const turns = createTurns();
    const thrower = () => {
      throw new Error('at once');
    };
    await expect(turns.take('key', thrower)).rejects.toThrow('at once');
    const queued = turns.take('key', async () => 'before');
    const results = await Promise.allSettled([
      queued,
      turns.take('key', thrower),
      turns.take('key', async () => 'after'),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  test('of another key wait for nobody', async () => {
    const happened: string[] = [];
    const turns = createTurns();
    const held = heldWork('held', happened);
    const waiting = turns.take('one', held.work);
    expect(await turns.take('other', async () => 'done')).toBe('done');
    expect(happened).toEqual(['held begins']);
    held.succeed();
    expect(await waiting).toBe('held');
  });

  test('are over with the last work: what comes then begins at once, also when that work failed', async () => {
    const happened: string[] = [];
    const turns = createTurns();
    const bad = heldWork('bad', happened);
    const failing = turns.take('key', bad.work);
    bad.fail();
    await expect(failing).rejects.toThrow('bad');
    const next = heldWork('next', happened);
    const taken = turns.take('key', next.work);
    expect(happened).toEqual(['bad begins', 'bad ends', 'next begins']);
    next.succeed();
    await taken;
  });

  test('keep order among work that comes while earlier work ends', async () => {
    const order: number[] = [];
    const turns = createTurns();
    let running = 0;
    const results: Promise<void>[] = [];
    for (let index = 0; index < 200; index += 1) {
      results.push(
        turns.take('key', async () => {
          running += 1;
          expect(running).toBe(1);
          if (index % 3 === 0) await settled();
          order.push(index);
          running -= 1;
        }),
      );
      if (index % 7 === 0) await settled();
    }
    await Promise.all(results);
    expect(order).toEqual(Array.from({ length: 200 }, (_, index) => index));
  });

  test('end by themselves after a while, so that work that hangs does not hang the others', async () => {
    const happened: string[] = [];
    const turns = createTurns(10);
    void turns.take('key', heldWork('hanging', happened).work);
    expect(await turns.take('key', async () => 'served')).toBe('served');
    expect(happened).toEqual(['hanging begins']);
  });
});
