/** Follows the end of the log for what this process knows of streams, and says whether nothing is missed. */
import type { EventStore, RecordedEvent } from '../ports/event-store.ts';
import type { Logger } from '../ports/logger.ts';
import { messageOf } from './message-of.ts';
import { runSubscription } from './subscription-runner.ts';

export interface LogFollower {
  /** From the end that the log has now. Rejects when the store does not answer. */
  start(): Promise<void>;
  /** Whether whatever is recorded arrives soon. */
  isFollowed(): boolean;
  stop(): Promise<void>;
}

export function createLogFollower(options: {
  readonly store: EventStore;
  readonly categories: readonly string[];
  readonly learn: (events: readonly RecordedEvent[]) => void;
  /** Whether the store answers: a subscription waits in silence for a server that is away. */
  readonly healthy: () => boolean;
  readonly logger: Logger;
}): LogFollower {
  const { store, categories, learn, healthy, logger } = options;
  const stopping = new AbortController();
  let isFollowed = false;
  let running: Promise<unknown> | undefined;
  return {
    async start() {
      running = runSubscription({
        store,
        after: await store.head(),
        categories,
        signal: stopping.signal,
        handle: async (events) => learn(events),
        caughtUp() {
          isFollowed = true;
          return 'stay';
        },
        failed(error, final) {
          isFollowed = false;
          logger.warn({ error: messageOf(error), final }, 'the log cannot be followed');
        },
      });
    },
    isFollowed: () => isFollowed && healthy(),
    async stop() {
      stopping.abort();
      isFollowed = false;
      await running;
    },
  };
}
