// The same keeper where nobody else can have the role: it holds from its start to its stop.
import { expect, test } from 'vitest';
import type { LeaseTerm } from '../../../../src/kernel/ports/lease.ts';
import { alwaysHeld, systemLeaseClock } from '../../../../src/kernel/runtime/lease.ts';

const common = {
  name: 'settler',
  holder: { id: '0f8fad5b-d9cb-469f-a165-70867728950e', label: 'levy-1/17' },
  clock: systemLeaseClock,
};

test('a role that nobody else can have is held until its work has stopped', async () => {
  const terms: LeaseTerm[] = [];
  const heldAtStop: unknown[] = [];
  const work = {
    stop: async () => void heldAtStop.push([terms[0]?.isHeld(), terms[0]?.signal.aborted]),
  };
  const keeper = await alwaysHeld({
    ...common,
    start: async (term) => {
      terms.push(term);
      return work;
    },
  });
  expect(terms.map(({ name, number }) => ({ name, number }))).toEqual([{ name: 'settler', number: 1 }]);
  expect(keeper.work()).toBe(work);
  expect(keeper.status()).toMatchObject({ state: 'held', term: 1, holder: common.holder, error: undefined });
  await Promise.all([keeper.stop(), keeper.stop()]);
  expect(heldAtStop).toEqual([[true, true]]);
  expect([terms[0]?.isHeld(), keeper.work(), keeper.status().state]).toEqual([false, undefined, 'stopped']);
});

test('whoever begins hears when the work cannot start', async () => {
  const start = async () => {
    throw new Error('the chain does not answer');
  };
  await expect(alwaysHeld({ ...common, start })).rejects.toThrow('the chain does not answer');
});
