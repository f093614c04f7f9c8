/** Several processes on one event store, in an order that a test chooses, and killed where it says. */
import type fc from 'fast-check';
import type { EventStore, RecordedEvent } from '../../src/kernel/ports/event-store.ts';

/** Decides in which order several processes ask the store for what they want. */
export function createOrder(scheduler: fc.Scheduler) {
  let asked = 0;
  const turn = async <Result>(what: string, work: () => Promise<Result>): Promise<Result> => {
    await scheduler.schedule(Promise.resolve(), what);
    asked += 1;
    return work().finally(() => {
      asked -= 1;
    });
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return {
    turn,
    /** The store to a process that asks for nothing before it is its turn. */
    of: (name: string, store: EventStore): EventStore => ({
      ...store,
      append: (stream, expected, events) =>
        turn(`${name} appends to ${stream}`, () => store.append(stream, expected, events)),
      async *read(stream, from) {
        yield* await turn(`${name} reads ${stream}`, async () => {
          const events: RecordedEvent[] = [];
          for await (const event of store.read(stream, from)) events.push(event);
          return events;
        });
      },
    }),
    /** Resolves when nobody wants anything any more. */
    async play(): Promise<void> {
      for (;;) {
        do await settled();
        while (asked > 0);
        if (scheduler.count() === 0) return;
        await scheduler.waitOne();
      }
    },
  };
}

/** The store to a process that is killed when it has asked for so much. */
export function killedAfter(steps: number, store: EventStore): EventStore {
  let left = steps;
  const live = async () => {
    left -= 1;
    if (left < 0) await new Promise<never>(() => {});
  };
  return {
    ...store,
    async append(stream, expected, events) {
      await live();
      const result = await store.append(stream, expected, events);
      await live();
      return result;
    },
    async *read(stream, from) {
      await live();
      yield* store.read(stream, from);
    },
  };
}
