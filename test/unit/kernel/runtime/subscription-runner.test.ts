// The subscription runner hands every event on once it can, in order, and never goes past one that was not handled.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { StoreUnavailable } from '../../../../src/kernel/ports/errors.ts';
import {
  type EventStore,
  type RecordedEvent,
  START,
  type SubscriptionMessage,
} from '../../../../src/kernel/ports/event-store.ts';
import { runSubscription } from '../../../../src/kernel/runtime/subscription-runner.ts';
import { withMethods } from '../../../../src/kernel/runtime/wrap-calls.ts';
import { Counted, causeOf, counter, executorOn } from '../../../support/counter.ts';
import { temporaryEventStore, wholeLog } from '../../../support/temporary-event-store.ts';

const NO_PAUSES = [0, 0, 0];

async function count(store: EventStore, from: number, to: number, streamId = 'a'): Promise<void> {
  for (let by = from; by <= to; by += 1) {
    await executorOn(store).execute(counter, streamId, causeOf(), () => [Counted({ by })]);
  }
}

async function countedTo(last: number): Promise<EventStore> {
  const store = await temporaryEventStore();
  await count(store, 1, last);
  return store;
}

const numbersOf = (events: readonly RecordedEvent[]) => events.map(({ data }) => data.by);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** Runs a subscription that notes what it handled; `until` resolves when it has handled so many events. */
function start(store: EventStore, options: Partial<Parameters<typeof runSubscription>[0]> = {}) {
  const aborting = new AbortController();
  onTestFinished(() => aborting.abort());
  const batches: (readonly RecordedEvent[])[] = [];
  const failures: { readonly error: unknown; readonly final: boolean }[] = [];
  const waiting: { readonly length: number; readonly resolve: () => void }[] = [];
  const handled = () => batches.flat();
  const end = runSubscription({
    store,
    after: START,
    signal: aborting.signal,
    retryPauses: NO_PAUSES,
    failed: (error, final) => failures.push({ error, final }),
    ...options,
    async handle(events) {
      await options.handle?.(events);
      batches.push(events);
      for (const each of waiting) if (handled().length >= each.length) each.resolve();
    },
  });
  return {
    batches,
    failures,
    end,
    handled: () => numbersOf(handled()),
    stop: () => aborting.abort(),
    until: (length: number) =>
      new Promise<void>((resolve) => {
        if (handled().length >= length) resolve();
        else waiting.push({ length, resolve });
      }),
  };
}

describe('a subscription', () => {
  test('handles everything from its position on, in batches, and then what comes', async () => {
    const store = await countedTo(7);
    const subscription = start(store, { batchSize: 3 });
    await subscription.until(7);
    expect(subscription.batches.map(numbersOf)).toEqual([[1, 2, 3], [4, 5, 6], [7]]);
    await count(store, 8, 9);
    await subscription.until(9);
    expect(subscription.handled()).toEqual(range(1, 9));
    subscription.stop();
    expect(await subscription.end).toBe('stopped');
    expect(subscription.failures).toEqual([]);
  });

  test('takes events that arrive one by one as one batch until it has caught up, and then as they arrive', async () => {
    const store = await countedTo(5);
    const events = (await wholeLog(store)).map((event) => ({ kind: 'event', event }) as const);
    const checkpoint = { kind: 'checkpoint', position: START } as const;
    const messages: readonly SubscriptionMessage[] = [
      checkpoint,
      ...events.slice(0, 1),
      checkpoint,
      ...events.slice(1, 2),
      { kind: 'caught-up', position: START },
      ...events.slice(2),
    ];
    const subscription = start(
      withMethods(store, {
        async *subscribe({ signal }) {
          for (const message of messages) {
            // A network delivers it later as well.
            for (let turn = 0; turn < 3; turn += 1) await nextTurn();
            yield message;
          }
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
        },
      }),
    );
    await subscription.until(5);
    expect(subscription.batches.map(numbersOf)).toEqual([[1, 2], [3], [4], [5]]);
  });

  test('says when it has reached the end, with the position, also of an empty log', async () => {
    const store = await temporaryEventStore();
    const ends: string[] = [];
    const reached = new Promise<void>((resolve) => {
      const caughtUp = (position: string) => {
        ends.push(position);
        if (position !== START) resolve();
        return 'stay' as const;
      };
      start(store, { caughtUp, categories: ['nothing'] });
    });
    await count(store, 1, 1);
    await reached;
    expect(ends.at(-1)).toBe(await store.head());
  });

  test('leaves at the end of the log when it is told to, after handling everything', async () => {
    const store = await countedTo(5);
    const subscription = start(store, { caughtUp: () => 'leave', batchSize: 2 });
    expect(await subscription.end).toBe('left');
    expect(subscription.handled()).toEqual(range(1, 5));
  });
});

describe('a handler that fails', () => {
  test('gets the same events again, and then those behind them, none lost or doubled', async () => {
    const store = await countedTo(6);
    const tries: unknown[] = [];
    const subscription = start(store, {
      batchSize: 2,
      async handle(events) {
        tries.push(numbersOf(events)[0]);
        if (numbersOf(events)[0] === 3 && tries.length < 4) throw new Error('not yet');
      },
    });
    await subscription.until(6);
    expect(tries).toEqual([1, 3, 3, 3, 5]);
    expect(subscription.handled()).toEqual(range(1, 6));
    expect(subscription.failures.map(({ final }) => final)).toEqual([false, false]);
  });

  test('is tried once more than there are pauses, then the subscription gives up and says so', async () => {
    const store = await countedTo(4);
    const broken = new Error('broken');
    const subscription = start(store, {
      batchSize: 1,
      async handle(events) {
        if (numbersOf(events)[0] === 3) throw broken;
      },
    });
    expect(await subscription.end).toBe('failed');
    expect(subscription.handled()).toEqual([1, 2]);
    expect(subscription.failures).toEqual(
      [false, false, false, true].map((final) => ({ error: broken, final })),
    );
  });

  test('comes again for ever while what handles it is away, for that may come back', async () => {
    const store = await countedTo(3);
    let refusals = 0;
    const subscription = start(store, {
      batchSize: 1,
      async handle(events) {
        if (numbersOf(events)[0] !== 2 || refusals >= 20) return;
        refusals += 1;
        throw new StoreUnavailable('away');
      },
    });
    await subscription.until(3);
    expect(subscription.handled()).toEqual([1, 2, 3]);
    expect(subscription.failures.map(({ final }) => final)).toEqual(Array(20).fill(false));
  });

  test('does not come again after a failure that no retry can help', async () => {
    const store = await countedTo(2);
    const hopeless = new Error('hopeless');
    const subscription = start(store, {
      isFinal: (error) => error === hopeless,
      handle: () => Promise.reject(hopeless),
    });
    expect(await subscription.end).toBe('failed');
    expect(subscription.failures).toEqual([{ error: hopeless, final: true }]);
  });

  test('has all its tries again after a success', async () => {
    const store = await countedTo(6);
    let failing = 0;
    const subscription = start(store, {
      batchSize: 1,
      async handle() {
        failing = (failing + 1) % 4;
        if (failing !== 0) throw new Error('every event fails three times');
      },
    });
    await subscription.until(6);
    expect(subscription.handled()).toEqual(range(1, 6));
    expect(subscription.failures).toHaveLength(18);
  });
});

describe('an abort', () => {
  test('ends it while it waits for events', async () => {
    const subscription = start(await temporaryEventStore());
    subscription.stop();
    expect(await subscription.end).toBe('stopped');
  });

  test('ends it after the batch that is being handled, without another', async () => {
    const store = await countedTo(4);
    const subscription = start(store, {
      batchSize: 2,
      handle: async () => subscription.stop(),
    });
    expect(await subscription.end).toBe('stopped');
    expect(subscription.handled()).toEqual([1, 2]);
  });

  test('ends the pause before a repetition', async () => {
    const store = await countedTo(1);
    const subscription = start(store, {
      retryPauses: [3_600_000],
      failed: () => setImmediate(() => subscription.stop()),
      async handle() {
        throw new Error('broken');
      },
    });
    expect(await subscription.end).toBe('stopped');
  });
});

describe('a store that breaks the subscription off', () => {
  test('is asked again from the last handled event on, so that nothing is lost or doubled', async () => {
    const store = await countedTo(40);
    let subscriptions = 0;
    /** Ends or throws after the third event, for the first events; a success in between makes up for it. */
    const unreliable: EventStore = {
      ...store,
      async *subscribe(options) {
        subscriptions += 1;
        let left = subscriptions < 10 ? 3 : Number.POSITIVE_INFINITY;
        for await (const message of store.subscribe(options)) {
          yield message;
          left -= 1;
          if (left > 0) continue;
          if (subscriptions % 2 === 0) return;
          throw new Error('connection lost');
        }
      },
    };
    const subscription = start(unreliable, { batchSize: 2 });
    await subscription.until(40);
    expect(subscription.handled()).toEqual(range(1, 40));
    expect(subscriptions).toBe(10);
    expect(subscription.failures.every(({ final }) => !final)).toBe(true);
  });

  test('is asked for ever, for a store that is away may come back', async () => {
    const store = await countedTo(3);
    let refusals = 0;
    const away: EventStore = {
      ...store,
      subscribe(options) {
        refusals += 1;
        if (refusals <= 20) throw new Error('no connection');
        return store.subscribe(options);
      },
    };
    const subscription = start(away);
    await subscription.until(3);
    expect(subscription.handled()).toEqual(range(1, 3));
    expect(subscription.failures).toHaveLength(20);
    expect(subscription.failures.every(({ final }) => !final)).toBe(true);
  });

  test('is asked again from where it said that nothing was wanted so far', async () => {
    const store = await countedTo(3);
    const afters: string[] = [];
    const passed: string[] = [];
    const position = await store.head();
    const silent: EventStore = {
      ...store,
      async *subscribe(options) {
        afters.push(options.after);
        if (afters.length === 1) {
          yield { kind: 'checkpoint', position };
          throw new Error('connection lost');
        }
        yield* store.subscribe(options);
      },
    };
    const subscription = start(silent, { passed: (reached) => passed.push(reached) });
    await count(store, 4, 5);
    await subscription.until(2);
    expect(subscription.handled()).toEqual([4, 5]);
    expect(afters).toEqual([START, position]);
    expect(passed).toEqual([position]);
  });
});
