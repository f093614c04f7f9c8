// New documents take the place of the old ones in one step, at which no reader loses what it has seen.
import { describe, expect, test, vi } from 'vitest';
import { StoreUnavailable } from '../../../../src/kernel/ports/errors.ts';
import { silentLogger } from '../../../../src/kernel/ports/logger.ts';
import type { CollectionCommit, ReadModel } from '../../../../src/kernel/ports/read-model.ts';
import type { Projection } from '../../../../src/kernel/runtime/define-projection.ts';
import { newTarget, type Target } from '../../../../src/kernel/runtime/projection-target.ts';
import { createGoLive, newProjectorWork } from '../../../../src/kernel/runtime/projector-work.ts';

const totals: Projection = { name: 'totals', version: 2, on: {} };

/** `answers`: what the read model does at each commit; it accepts what comes after. */
function open({ isShared = false, answers = [] as readonly (Error | 'accepts')[] } = {}) {
  const calls: string[] = [];
  const failed: unknown[] = [];
  let former: Target | undefined;
  const isWritten = () =>
    former === undefined ? '' : former.retired ? ', the former is retired' : ', the former is written';
  let commits = 0;
  const readModel = {
    async commit([commit]: readonly CollectionCommit[]) {
      const answer = answers[commits];
      commits += 1;
      if (answer instanceof Error) throw answer;
      calls.push(`checkpoint ${commit?.checkpoint}${isWritten()}`);
    },
    async goLive({ name }: Projection) {
      calls.push(`go live ${name}${isWritten()}`);
    },
  } as unknown as ReadModel;
  const shared = isShared ? { changed: () => undefined, replaced: () => undefined } : undefined;
  const work = newProjectorWork({
    projections: [totals],
    categoryOfType: new Map(),
    readModel,
    store: {} as never,
    reader: {} as never,
    logger: silentLogger,
  });
  const [builds] = work.all;
  if (builds === undefined) throw new Error('there is a projection');
  const target = (version: number, position: string) =>
    newTarget(
      { projection: totals, generation: { version, generation: 1 }, categories: [], isServed: version === 1 },
      position,
    );
  builds.own = target(2, '5');
  const own = builds.own;
  const goLive = createGoLive(
    work,
    { readModel, ...(shared === undefined ? {} : { shared }) },
    { fail: (_target, error) => void failed.push(error) },
  );
  return {
    work,
    builds,
    own,
    calls,
    failed,
    goLive,
    /** What queries read until then. */
    withFormer(position: string) {
      former = target(1, position);
      former.state = 'live';
      builds.former = former;
      return former;
    },
  };
}

describe('a projection that has caught up', () => {
  test('saves its checkpoint, is read from then on, and counts as live', async () => {
    const { goLive, own, work, calls } = open();
    goLive(own);
    expect(own).toMatchObject({ state: 'building', isServed: false });
    await work.ended();
    expect(own).toMatchObject({ state: 'live', isServed: true });
    expect(calls).toEqual(['checkpoint 5', 'go live totals']);
  });

  test('goes live once, however often the end of the log is reported', async () => {
    const { goLive, own, work, calls } = open();
    goLive(own);
    goLive(own);
    await work.ended();
    goLive(own);
    await work.ended();
    expect(calls).toHaveLength(2);
  });

  test('stays stopped when an append has stopped it meanwhile', async () => {
    const { goLive, own, work } = open();
    goLive(own);
    own.state = 'failed';
    await work.ended();
    expect(own.state).toBe('failed');
  });

  test('stops when it cannot go live', async () => {
    const error = new Error('cannot write');
    const { goLive, own, work, failed } = open({ answers: [error] });
    goLive(own);
    await work.ended();
    expect(failed).toEqual([error]);
    expect(own.isServed).toBe(false);
  });
});

describe('a former generation', () => {
  test('is written until the moment of the switch, and gone after it', async () => {
    const { goLive, own, work, builds, calls, withFormer } = open();
    const former = withFormer('5');
    goLive(own);
    await work.ended();
    expect(calls).toEqual(['checkpoint 5, the former is written', 'go live totals, the former is retired']);
    expect([builds.former, former.retired]).toEqual([undefined, true]);
  });

  test('counts as live when it has caught up itself, and switches nothing', async () => {
    const { goLive, work, builds, calls, withFormer } = open();
    const former = withFormer('5');
    former.state = 'building';
    goLive(former);
    await work.ended();
    expect([former.state, builds.former, calls]).toEqual(['live', former, []]);
    former.state = 'failed';
    goLive(former);
    expect(former.state).toBe('failed');
  });

  test('is still read when its successor cannot be written', async () => {
    const { goLive, own, work, builds, withFormer } = open({ answers: [new Error('cannot write')] });
    const former = withFormer('5');
    goLive(own);
    await work.ended();
    expect([builds.former, former.retired]).toEqual([former, false]);
  });

  test('that was retired is not retained when the switch fails', async () => {
    const error = new Error('cannot write');
    const { goLive, own, work, builds, failed, withFormer } = open({ isShared: true, answers: [error] });
    withFormer('5');
    goLive(own);
    await work.ended();
    expect([failed, builds.former]).toEqual([[error], undefined]);
  });

  test('of a shared read model is written no more, and replaced only by what shows as much', async () => {
    const { goLive, own, work, calls, withFormer } = open({ isShared: true });
    const former = withFormer('6');
    goLive(own);
    expect(former.retired).toBe(true);
    await new Promise((resolve) => setImmediate(resolve));
    expect(calls).toEqual([]);
    own.position = '6';
    work.moved();
    await new Promise((resolve) => setImmediate(resolve));
    expect(calls).toEqual(['checkpoint 6, the former is retired', 'go live totals, the former is retired']);
  });

  test('of a shared read model holds up no process that ends', async () => {
    const { goLive, own, work, calls, withFormer } = open({ isShared: true });
    withFormer('6');
    goLive(own);
    work.stopping.abort();
    work.moved();
    await new Promise((resolve) => setImmediate(resolve));
    expect(calls).toHaveLength(2);
  });
});

describe('a read model that does not answer', () => {
  const away = new StoreUnavailable('the read model does not answer');

  test('is asked again where others share it, and the trouble is shown meanwhile', async () => {
    vi.useFakeTimers();
    try {
      const { goLive, own, work, failed } = open({ isShared: true, answers: Array(6).fill(away) });
      goLive(own);
      await vi.advanceTimersByTimeAsync(10);
      expect(own).toMatchObject({ error: away.message, isServed: false });
      // 20, 100 and 500 milliseconds, then every two seconds.
      await vi.advanceTimersByTimeAsync(6_600);
      expect(own.isServed).toBe(false);
      await vi.advanceTimersByTimeAsync(100);
      await work.ended();
      expect([own.isServed, failed]).toEqual([true, []]);
    } finally {
      vi.useRealTimers();
    }
  });

  test('is not asked again by a process that ends', async () => {
    const { goLive, own, work, failed } = open({ isShared: true, answers: Array(3).fill(away) });
    goLive(own);
    await new Promise((resolve) => setImmediate(resolve));
    work.stopping.abort();
    await work.ended();
    expect(failed).toEqual([away]);
  });

  test('in the same file as the log stops the projection', async () => {
    const { goLive, own, work, failed } = open({ answers: [away] });
    goLive(own);
    await work.ended();
    expect(failed).toEqual([away]);
  });
});
