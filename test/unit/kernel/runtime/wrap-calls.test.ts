import { expect, test } from 'vitest';
import { withMethods, wrapCalls } from '../../../../src/kernel/runtime/wrap-calls.ts';
import { allOf } from '../../../support/all-of.ts';

class Account {
  #holds = 3;
  readonly name = 'account';
  get size(): number {
    return this.#holds;
  }
  async holds(more: number, ...others: readonly number[]): Promise<number> {
    return others.reduce((sum, each) => sum + each, this.#holds + more);
  }
  async fail(): Promise<never> {
    throw new RangeError('it fails');
  }
  async *entries(from: number): AsyncGenerator<number, void> {
    for (let entry = from; entry < this.#holds; entry += 1) yield entry;
  }
  entry(place: number): number {
    return this.#holds - place;
  }
}

/** Calls as the measuring and the tracing do, and tells what it has seen. */
function watching() {
  const began: string[] = [];
  const ended: string[] = [];
  const around: Parameters<typeof wrapCalls>[1] = async (method, call) => {
    began.push(method);
    try {
      return await call();
    } finally {
      ended.push(method);
    }
  };
  return { began, ended, around };
}

test('every method is called through what stands around it, with its own arguments and answer', async () => {
  const { began, ended, around } = watching();
  const account = wrapCalls(new Account(), around);
  expect(await account.holds(1, 10, 100)).toBe(114);
  await expect(account.fail()).rejects.toThrow(RangeError);
  expect(began).toEqual(['holds', 'fail']);
  expect(ended).toEqual(['holds', 'fail']);
});

test('what a method gives that is no promise is given as it is, and is no call that ends', async () => {
  const { ended, around } = watching();
  const account = wrapCalls(new Account(), around);
  const entries = account.entries(1);
  expect(await allOf(entries)).toEqual([1, 2]);
  expect(account.entry(1)).toBe(2);
  expect(ended).toEqual([]);
});

test('a replaced method is called instead, and all others are those of the port', async () => {
  const account = new Account();
  const rich = withMethods(account, { holds: async (more) => 1_000 + (await account.holds(more)) });
  expect(await rich.holds(1)).toBe(1_004);
  expect(await account.holds(1)).toBe(4);
  await expect(rich.fail()).rejects.toThrow(RangeError);
  expect(await allOf(rich.entries(1))).toEqual([1, 2]);
  expect([rich.name, rich.size, rich.entry(1)]).toEqual(['account', 3, 2]);
});

test('methods can be taken apart from a port with replaced methods, and replaced again', async () => {
  const { holds, entry } = withMethods(withMethods(new Account(), { holds: async () => 7 }), {
    entry: () => 8,
  });
  expect(await holds(1)).toBe(7);
  expect(entry(1)).toBe(8);
});

test('one stands around the other, in either order', async () => {
  const { ended, around } = watching();
  const inside = withMethods(wrapCalls(new Account(), around), { entry: () => 8 });
  const outside = wrapCalls(withMethods(new Account(), { holds: async () => 7 }), around);
  expect(await inside.holds(1)).toBe(4);
  expect(await outside.holds(1)).toBe(7);
  expect(ended).toEqual(['holds', 'holds']);
  expect([inside.entry(1), inside.size, outside.size]).toEqual([8, 3, 3]);
});
