import { expect, test } from 'vitest';
import { aroundCalls } from '../../../src/runtime/around-calls.ts';

class Account {
  #holds = 3;
  readonly name = 'account';
  async holds(more: number, ...others: readonly number[]): Promise<number> {
    return others.reduce((sum, each) => sum + each, this.#holds + more);
  }
  async fail(): Promise<never> {
    throw new RangeError('it fails');
  }
}

test('every method is called through what stands around it, with its own arguments and answer', async () => {
  const called: string[] = [];
  const account = aroundCalls(new Account(), (method, call) => {
    called.push(method);
    return call();
  });
  expect(await account.holds(1, 10, 100)).toBe(114);
  await expect(account.fail()).rejects.toThrow(RangeError);
  expect(called).toEqual(['holds', 'fail']);
});

test('what is no method stays as it is', () => {
  const account = aroundCalls(new Account(), (_method, call) => call());
  expect(account.name).toBe('account');
});
