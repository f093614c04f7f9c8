// The decision loop: one decision is recorded once, whoever else writes and however often the store stays silent.
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { EventShapeError } from '../../../../src/kernel/runtime/event-codec.ts';
import { type ExecutorOptions, causeOf as ofThePart } from '../../../../src/kernel/runtime/execute.ts';
import { randomId } from '../../../../src/kernel/runtime/ids.ts';
import { Rejection } from '../../../../src/kernel/runtime/rejection.ts';
import { withMethods } from '../../../../src/kernel/runtime/wrap-calls.ts';
import {
  Counted,
  CounterClosed,
  type CounterState,
  causeOf,
  counter,
  executorOn,
} from '../../../support/counter.ts';
import { temporaryEventStore, wholeLog } from '../../../support/temporary-event-store.ts';
import { ConnectionLost, type Trouble, withTroubles } from '../../../support/troubled-event-store.ts';

/** An executor over a store with troubles, and one over the same store without. */
async function open(troubles: readonly Trouble[] = [], options: ExecutorOptions = {}) {
  const healthy = await temporaryEventStore();
  const troubled = withTroubles(healthy, troubles);
  return {
    log: () => wholeLog(healthy),
    appends: troubled.appends,
    executor: executorOn(troubled.store, options),
    rival: executorOn(healthy),
    healthy,
  };
}

async function rejectionOf(work: Promise<unknown>): Promise<Rejection> {
  const outcome = await work.catch((error: unknown) => error);
  if (outcome instanceof Rejection) return outcome;
  throw new Error('a rejection was expected', { cause: outcome });
}

/** Counts one more, and how often it is asked. */
function counting() {
  const seen: CounterState[] = [];
  return {
    seen,
    decide: (state: CounterState) => {
      seen.push(state);
      return [Counted({ by: 1 })];
    },
  };
}

describe('a decision', () => {
  test('is made on the state of the stream, and recorded behind it', async () => {
    const { executor, log } = await open();
    await executor.execute(counter, 'a', causeOf(), () => [Counted({ by: 2 }), Counted({ by: 3 })]);
    const { seen, decide } = counting();
    const done = await executor.execute(counter, 'a', causeOf(), decide);
    expect(seen).toEqual([{ total: 5, closed: false }]);
    expect(done.state).toEqual({ total: 6, closed: false });
    expect(done.recorded).toEqual([Counted({ by: 1 })]);
    const events = await log();
    expect(events.map(({ stream, revision, data }) => [stream, revision, data])).toEqual([
      ['counter-a', 0, { by: 2 }],
      ['counter-a', 1, { by: 3 }],
      ['counter-a', 2, { by: 1 }],
    ]);
    expect(done.position).toBe(events.at(-1)?.position);
  });

  test('for nothing records nothing, and tells the position of what it saw', async () => {
    const { executor, appends } = await open();
    const nothing = { recorded: [], state: counter.initial, revision: 'none', position: undefined };
    expect(await executor.execute(counter, 'a', causeOf(), () => [])).toEqual(nothing);
    const { position } = await executor.execute(counter, 'a', causeOf(), () => [Counted({ by: 1 })]);
    expect(await executor.execute(counter, 'a', causeOf(), () => [])).toMatchObject({ position });
    expect(appends).toHaveLength(1);
  });

  test('that throws records nothing, and what it threw comes through', async () => {
    const { executor, appends } = await open();
    const no = new Rejection('NO', 'conflict', 'No.');
    const refused = executor.execute(counter, 'a', causeOf(), () => {
      throw no;
    });
    await expect(refused).rejects.toBe(no);
    expect(appends).toEqual([]);
  });

  test('for an event that does not fit its schema records nothing, not even the events beside it', async () => {
    const { executor, appends } = await open();
    const broken = executor.execute(counter, 'a', causeOf(), () => [Counted({ by: 1 }), Counted({ by: 0 })]);
    await expect(broken).rejects.toBeInstanceOf(EventShapeError);
    expect(appends).toEqual([]);
  });

  test('is recorded with who, when and why, under ids of its own', async () => {
    const { executor, log } = await open();
    const cause = causeOf();
    await executor.execute(counter, 'a', cause, () => [Counted({ by: 1 }), CounterClosed({})]);
    await executor.execute(counter, 'b', cause, () => [Counted({ by: 1 })]);
    const events = await log();
    expect(new Set(events.map(({ id }) => id)).size).toBe(3);
    for (const { metadata } of events) {
      expect(metadata).toEqual({ ...cause, schemaVersion: 1, occurredAt: '2026-05-04T10:00:00.000Z' });
    }
  });
});

test('the same command run twice at once meets itself as another writer, and never takes its events for its own', async () => {
  const { executor, log } = await open();
  const cause = causeOf();
  const runs = [1, 2].map((by) =>
    executor.execute(counter, 'a', cause, ({ total }) => (total > 0 ? [] : [Counted({ by })])),
  );
  const [first, second] = await Promise.all(runs);
  const events = await log();
  expect(events).toHaveLength(1);
  expect(first?.state).toEqual(second?.state);
  expect(events[0]?.data).toEqual({ by: first?.state.total });
});

describe('another writer that comes first', () => {
  const rivalCounts = (rival: Awaited<ReturnType<typeof open>>['rival']) => () =>
    rival.execute(counter, 'a', causeOf(), () => [Counted({ by: 100 })]);

  test.each([
    1, 2, 3, 30,
  ])('%i times over only makes the decision be made again, on the new state', async (times) => {
    const troubles: Trouble[] = [];
    const { executor, rival, log, appends } = await open(troubles);
    for (let time = 0; time < times; time += 1) troubles.push(rivalCounts(rival));
    const { seen, decide } = counting();
    const { state } = await executor.execute(counter, 'a', causeOf(), decide);
    expect(seen.map(({ total }) => total)).toEqual(
      Array.from({ length: times + 1 }, (_, time) => time * 100),
    );
    expect(state.total).toBe(times * 100 + 1);
    expect(appends).toHaveLength(times + 1);
    expect(await log()).toHaveLength(times + 1);
  });

  test('until the patience is over ends it: nothing is recorded, and the caller may try again', async () => {
    const troubles: Trouble[] = [];
    const { executor, rival, log } = await open(troubles, { decisionTimeout: 0 });
    for (let time = 0; time < 5; time += 1) troubles.push(rivalCounts(rival));
    const { seen, decide } = counting();
    const rejection = await rejectionOf(executor.execute(counter, 'a', causeOf(), decide));
    expect(rejection).toMatchObject({ code: 'CONCURRENT_CHANGE', kind: 'conflict', retryAfterSeconds: 1 });
    expect(seen).toHaveLength(2);
    expect((await log()).map(({ data }) => data)).toEqual(Array(2).fill({ by: 100 }));
  });
});

test('writers who all come at the same moment are all recorded, one after another', async () => {
  const { executor, log, appends } = await open();
  const count = 30;
  const runs = Array.from({ length: count }, () =>
    executor.execute(counter, 'a', causeOf(), () => [Counted({ by: 1 })]),
  );
  const totals = (await Promise.all(runs)).map(({ state }) => state.total);
  expect(totals.toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: count }, (_, i) => i + 1),
  );
  expect(await log()).toHaveLength(count);
  // Each but the first loses once, and then not again to those who lost with it.
  expect(appends).toHaveLength(2 * count - 1);
});

test('who comes while others take turns waits for them, and loses to none of them', async () => {
  const { executor, appends, log } = await open();
  let started = 0;
  /** Each is followed by one more as soon as it is recorded, as clients that call again and again. */
  const calling = async (): Promise<void> => {
    started += 1;
    if (started > 60) return;
    await executor.execute(counter, 'a', causeOf(), () => [Counted({ by: 1 })]);
    await calling();
  };
  await Promise.all(Array.from({ length: 20 }, calling));
  expect(await log()).toHaveLength(60);
  // The first round conflicts; after that nobody comes in between.
  expect(appends.length).toBeLessThan(60 + 25);
});

describe('an append with an unknown outcome', () => {
  test.each([
    [['written']],
    [['unwritten', 'written']],
    [['written', 'unwritten']],
  ] as const)('(%j) is repeated as it was, and recorded once', async (troubles) => {
    const { executor, appends, log } = await open(troubles);
    const { seen, decide } = counting();
    const { position } = await executor.execute(counter, 'a', causeOf(), decide);
    const events = await log();
    expect(events).toHaveLength(1);
    expect(position).toBe(events[0]?.position);
    expect(seen).toHaveLength(1);
    expect(appends).toHaveLength(troubles.length + 1);
    for (const call of appends) expect(call).toEqual(appends[0]);
  });

  test('is found where it was written, also behind what others appended meanwhile', async () => {
    const troubles: Trouble[] = [];
    const { executor, rival, log } = await open(troubles);
    troubles.push('written', () => rival.execute(counter, 'a', causeOf(), () => [Counted({ by: 100 })]));
    const { state, position } = await executor.execute(counter, 'a', causeOf(), () => [Counted({ by: 1 })]);
    const events = await log();
    expect(events.map(({ data }) => data)).toEqual([{ by: 1 }, { by: 100 }]);
    expect(state.total).toBe(1);
    expect(position).toBe(events[0]?.position);
  });

  test('that turns out a conflict makes the decision be made again', async () => {
    const troubles: Trouble[] = [];
    const { executor, rival, log } = await open(troubles);
    troubles.push('unwritten', () => rival.execute(counter, 'a', causeOf(), () => [Counted({ by: 100 })]));
    const { state } = await executor.execute(counter, 'a', causeOf(), () => [Counted({ by: 1 })]);
    expect(state.total).toBe(101);
    expect((await log()).map(({ data }) => data)).toEqual([{ by: 100 }, { by: 1 }]);
  });

  test('three times over is left unknown: the caller is told that the store does not answer', async () => {
    const { executor, appends } = await open(['unwritten', 'unwritten', 'unwritten', 'none']);
    const rejection = await rejectionOf(
      executor.execute(counter, 'a', causeOf(), () => [Counted({ by: 1 })]),
    );
    expect(rejection).toMatchObject({ code: 'STORE_UNAVAILABLE', kind: 'unavailable', retryAfterSeconds: 2 });
    expect(rejection.cause).toBeInstanceOf(ConnectionLost);
    expect(appends).toHaveLength(3);
  });
});

test.each([
  [5_000, 1],
  [4_999, 2],
])('an append without an answer for %i milliseconds is called %i times: the store has retries of its own', async (milliseconds, times) => {
  const { healthy } = await open();
  let now = 1_000;
  onTestFinished(() => void vi.restoreAllMocks());
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  let calls = 0;
  const silent = withMethods(healthy, {
    async append() {
      calls += 1;
      now += milliseconds;
      throw new ConnectionLost('no answer');
    },
  });
  const appending = executorOn(silent).execute(counter, 'a', causeOf(), () => [Counted({ by: 1 })]);
  expect(await rejectionOf(appending)).toMatchObject({ code: 'STORE_UNAVAILABLE' });
  expect(calls).toBe(times);
});

test('an append that is malformed is a fault of ours, and not repeated', async () => {
  const { executor, appends } = await open();
  const malformed = executor.execute(counter, 'two words', causeOf(), () => [Counted({ by: 1 })]);
  await expect(malformed).rejects.toBeInstanceOf(TypeError);
  expect(appends).toHaveLength(1);
});

test('a store that cannot be read does not answer either', async () => {
  const { executor, healthy } = await open();
  await healthy.close();
  expect(await rejectionOf(executor.load(counter, 'a'))).toMatchObject({ code: 'STORE_UNAVAILABLE' });
});

test('a stored event that no schema explains is a fault of ours, not of the store', async () => {
  const { executor, healthy } = await open();
  const id = randomId();
  await healthy.append('counter-a', 'none', [{ id, type: 'Forgotten', data: {}, metadata: {} }]);
  await expect(executor.load(counter, 'a')).rejects.toBeInstanceOf(EventShapeError);
});

describe('the cause of what the service does by itself', () => {
  test('is a command of its own, which began here where nothing led to it', () => {
    const cause = ofThePart('settler');
    const { commandId } = cause;
    expect(cause).toEqual({
      commandId,
      inputHash: '',
      correlationId: commandId,
      causationId: commandId,
      actor: 'service:settler',
    });
  });

  test('goes on with the request and the trace that led to it', () => {
    const because = { correlationId: 'request', causationId: 'event', traceparent: 'trace' };
    expect(ofThePart('settler', because)).toMatchObject(because);
    expect(ofThePart('settler', because).commandId).not.toBe(ofThePart('settler', because).commandId);
  });
});
