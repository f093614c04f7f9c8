/** Subscription to the end of the log that updates this process's caches, and reports whether it is complete. */
import { categoryOf } from '../ports/append-rules.ts';
import { type EventStore, type Position, type RecordedEvent, START } from '../ports/event-store.ts';
import type { Logger } from '../ports/logger.ts';
import { errorMessage } from './error-message.ts';
import { runSubscription } from './subscription-runner.ts';

export type LogFollower = ReturnType<typeof createLogFollower>;

export function createLogFollower(options: {
  readonly store: EventStore;
  readonly categories: readonly string[];
  readonly learn: (events: readonly RecordedEvent[]) => void;
  /** Defined while the store does not respond; the subscription itself waits silently for an unavailable server. */
  readonly trouble: () => object | undefined;
  readonly logger: Logger;
}) {
  const { store, categories, learn, trouble, logger } = options;
  const listeners = new Map<string, Set<(event: RecordedEvent) => void>>();
  let latest: Position = START;
  const stopping = new AbortController();
  let isFollowed = false;
  let running: Promise<unknown> | undefined;

  function hear(events: readonly RecordedEvent[]): void {
    learn(events);
    latest = events.at(-1)?.position ?? latest;
    for (const event of events)
      for (const heard of listeners.get(categoryOf(event.stream)) ?? []) heard(event);
  }

  const isCurrent = () => isFollowed && trouble() === undefined;
  return {
    /** Starts at the current end of the log. Rejects if the store does not respond. */
    async start(): Promise<void> {
      latest = await store.head();
      running = runSubscription({
        store,
        after: latest,
        categories,
        signal: stopping.signal,
        handle: async (events) => hear(events),
        caughtUp() {
          isFollowed = true;
          return 'stay';
        },
        failed(error, final) {
          isFollowed = false;
          logger.warn({ error: errorMessage(error), final }, 'the log cannot be followed');
        },
      });
    },
    /** True while every recorded event is received soon after it was recorded. */
    isFollowed: isCurrent,
    /**
     * Position of the last event relevant to read models; before the first one, and while the subscription is interrupted,
     * the end of the log.
     */
    async end(): Promise<Position> {
      const head = await store.head();
      return isCurrent() && latest < head ? latest : head;
    },
    /** Calls `heard` for each event of the category, in order and without gaps, until the returned function is called. */
    listen(category: string, heard: (event: RecordedEvent) => void): () => void {
      const all = listeners.get(category) ?? new Set();
      listeners.set(category, all.add(heard));
      return () => void all.delete(heard);
    },
    async stop(): Promise<void> {
      stopping.abort();
      isFollowed = false;
      await running;
    },
  };
}
