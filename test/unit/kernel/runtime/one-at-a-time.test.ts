// Of work with the same key one piece is under way at a time; who waits too long is turned away, and nothing is run beside what hangs.
import { describe, expect, test } from 'vitest';
import { createOneAtATime } from '../../../../src/kernel/runtime/one-at-a-time.ts';

const LONG = 60_000;
const overdue = () => new Error('overdue');

/** Work that ends when the test says so. */
function held(name: string, happened: string[] = []) {
  let end: (error?: Error) => void = () => {};
  const ending = new Promise<void>((resolve, reject) => {
    end = (error) => (error === undefined ? resolve() : reject(error));
  });
  return {
    happened,
    end: (error?: Error) => end(error),
    async work(): Promise<string> {
      happened.push(`${name} begins`);
      await ending;
      happened.push(`${name} ends`);
      return name;
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('work with the same key', () => {
  test('is run one after another, in the order in which it came', async () => {
    const line = createOneAtATime(LONG);
    const [first, second, third] = [held('first'), held('second'), held('third')];
    const happened: string[] = [];
    const results = [first, second, third].map(({ work }, place) =>
      line.run('key', () => work().finally(() => happened.push(String(place))), overdue),
    );
    for (const { end } of [third, second, first]) {
      await settled();
      expect(happened).toEqual([]);
      end();
    }
    expect(await Promise.all(results)).toEqual(['first', 'second', 'third']);
    expect(happened).toEqual(['0', '1', '2']);
  });

  test('goes on after work that failed, whose error is its own', async () => {
    const line = createOneAtATime(LONG);
    const first = held('first');
    const [failing, next] = [
      line.run('key', first.work, overdue),
      line.run('key', async () => 'next', overdue),
    ];
    first.end(new Error('no'));
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('next');
  });

  test('is not run at all when what is under way takes too long, and neither is what came after it', async () => {
    const line = createOneAtATime(20);
    const hanging = held('hanging');
    const first = line.run('key', hanging.work, overdue);
    const ran: string[] = [];
    const waiting = ['second', 'third'].map((name) =>
      line.run('key', async () => void ran.push(name), overdue),
    );
    for (const each of waiting) await expect(each).rejects.toThrow('overdue');
    // Those who gave up have left, but not what they waited for.
    await expect(line.run('key', async () => void ran.push('fourth'), overdue)).rejects.toThrow('overdue');
    expect(ran).toEqual([]);

    hanging.end();
    expect(await first).toBe('hanging');
    expect(await line.run('key', async () => 'served', overdue)).toBe('served');
  });
});

test('work with another key waits for nothing', async () => {
  const line = createOneAtATime(LONG);
  const first = held('first');
  const hanging = line.run('one', first.work, overdue);
  expect(await line.run('other', async () => 'served', overdue)).toBe('served');
  first.end();
  await hanging;
});
