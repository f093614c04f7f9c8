// Work that nobody else could do: it is begun until it runs, and again when it has ended.
import { expect, test, vi } from 'vitest';
import { keepRunning } from '../../../../src/kernel/runtime/lease.ts';

function world(failures: number) {
  const told: string[] = [];
  const works: { ended: Promise<void>; end: () => void; stop: ReturnType<typeof vi.fn> }[] = [];
  let tries = 0;
  const kept = keepRunning({
    async start() {
      tries += 1;
      if (tries <= failures) throw new Error(`the store is away (${tries})`);
      let end = () => {};
      const ended = new Promise<void>((resolve) => {
        end = resolve;
      });
      const work = { ended, end, stop: vi.fn(async () => {}) };
      works.push(work);
      return work;
    },
    failed: (error) => void told.push(error),
  });
  return { kept, told, works };
}

test('work that can begin has begun at once, and stops with its keeper', async () => {
  const { kept, told, works } = world(0);
  await kept.tried;
  expect(kept.current()).toBe(works[0]);
  expect(kept.error()).toBeUndefined();
  await kept.stop();
  expect(works[0]?.stop).toHaveBeenCalledOnce();
  expect(kept.current()).toBeUndefined();
  expect(told).toEqual([]);
});

test('while it cannot begin it says why, is told of once, and is tried until it can', async () => {
  const { kept, told, works } = world(2);
  await kept.tried;
  expect([kept.current(), kept.error()]).toEqual([undefined, 'the store is away (1)']);
  await expect.poll(() => kept.current()).toBeDefined();
  expect(works).toEqual([kept.current()]);
  expect(kept.error()).toBeUndefined();
  expect(told).toEqual(['the store is away (1)']);
  await kept.stop();
});

test('work that has ended is stopped, and begun again', async () => {
  vi.useFakeTimers();
  try {
    const { kept, works } = world(0);
    await kept.tried;
    works[0]?.end();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(works[0]?.stop).toHaveBeenCalledOnce();
    expect(kept.current()).toBe(works[1]);
    await kept.stop();
    expect(works).toHaveLength(2);
  } finally {
    vi.useRealTimers();
  }
});

test('a keeper that is stopped while nothing can begin ends', async () => {
  const { kept, works } = world(1_000);
  await kept.tried;
  await kept.stop();
  expect([works.length, kept.current()]).toEqual([0, undefined]);
});
