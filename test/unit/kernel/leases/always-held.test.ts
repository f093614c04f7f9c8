// The same keeper where nobody else can have the role: it holds from its start to its stop.
import { expect, test, vi } from 'vitest';
import { OperatorError } from '../../../../src/kernel/ports/errors.ts';
import { loggerTo, silentLogger } from '../../../../src/kernel/ports/logger.ts';
import type { LeaseTerm } from '../../../../src/kernel/runtime/lease.ts';
import { alwaysHeld, systemLeaseClock } from '../../../../src/kernel/runtime/lease.ts';
import { deferred } from '../../../support/deferred.ts';

const common = {
  name: 'settler',
  holder: { id: '0f8fad5b-d9cb-469f-a165-70867728950e', label: 'levy-1/17' },
  clock: systemLeaseClock,
  logger: silentLogger,
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

test('whoever begins hears when the work cannot start before the operator corrects something', async () => {
  const start = async () => {
    throw new OperatorError('another seed');
  };
  await expect(alwaysHeld({ ...common, start })).rejects.toThrow('another seed');
});

async function world(failures: number) {
  const reports: string[] = [];
  const works: { ended: Promise<void>; end: () => void; stop: ReturnType<typeof vi.fn> }[] = [];
  let tries = 0;
  const keeper = await alwaysHeld({
    ...common,
    async start() {
      tries += 1;
      if (tries <= failures) throw new Error(`the store is away (${tries})`);
      const { promise: ended, resolve: end } = deferred();
      const work = { ended, end, stop: vi.fn(async () => {}) };
      works.push(work);
      return work;
    },
    logger: loggerTo((message) => reports.push(message)),
  });
  return { keeper, reports, works };
}

test('while it cannot begin it says why, is told of once, and is tried until it can', async () => {
  const { keeper, reports, works } = await world(2);
  expect([keeper.work(), keeper.status().error]).toEqual([undefined, 'the store is away (1)']);
  await expect.poll(() => keeper.work()).toBeDefined();
  expect(works).toEqual([keeper.work()]);
  expect(keeper.status().error).toBeUndefined();
  expect(reports).toEqual(['work failed, retrying', 'work recovered']);
  await keeper.stop();
  expect(works[0]?.stop).toHaveBeenCalledOnce();
});

test('work that has ended is stopped, and begun again', async () => {
  const { keeper, works } = await world(0);
  works[0]?.end();
  await expect.poll(() => works.length).toBe(2);
  expect(works[0]?.stop).toHaveBeenCalledOnce();
  await expect.poll(() => keeper.work()).toBe(works[1]);
  await keeper.stop();
  expect(works).toHaveLength(2);
});

test('a keeper that is stopped while nothing can begin ends', async () => {
  const { keeper, works } = await world(1_000);
  await keeper.stop();
  expect([works.length, keeper.work()]).toEqual([0, undefined]);
});
