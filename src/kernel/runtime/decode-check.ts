/**
 * Decodes every event of the log once after a start, and then each new one: the reader lists those that cannot be decoded.
 * Other subscriptions decode only the types that they want, so none of them reads an event of an unknown type.
 */

import { type EventStore, type RecordedEvent, START } from '../ports/event-store.ts';
import type { Logger } from '../ports/logger.ts';
import { EventUndecodable } from './event-codec.ts';
import type { EventReader } from './event-reader.ts';
import { messageOf } from './message-of.ts';
import { sleep } from './sleep.ts';
import { runSubscription } from './subscription-runner.ts';

export interface DecodeCheckOptions {
  readonly store: EventStore;
  readonly reader: Pick<EventReader, 'read' | 'readNow' | 'undecodable' | 'pause'>;
  readonly categories: readonly string[];
  readonly logger: Logger;
}

export interface DecodeCheck {
  stop(): Promise<void>;
}

/** The share of the time that the check may take until it reaches the end of the log: commands come first. */
const SHARE_OF_TIME = 0.1;
/** More are of no use to an operator, and each is a line in the log: the next are listed once some are quarantined. */
const MOST_LISTED = 20;
/** Milliseconds, unless an event is quarantined before. */
const LISTED_PAUSE = 10_000;
const BATCH = 250;

export function startDecodeCheck({ store, reader, categories, logger }: DecodeCheckOptions): DecodeCheck {
  const stopping = new AbortController();
  const { signal } = stopping;
  let isAtEnd = false;

  async function check(event: RecordedEvent): Promise<void> {
    try {
      reader.readNow(event);
    } catch (error) {
      if (!(error instanceof EventUndecodable)) throw error;
      // While releases are replaced, the older one reads these; one that it needs is reported there.
      if (error.event.isNewer) return;
      while (reader.undecodable().length >= MOST_LISTED && !signal.aborted)
        await reader.pause(LISTED_PAUSE, signal);
      await Promise.resolve(reader.read(event)).catch((again: unknown) => {
        if (!(again instanceof EventUndecodable)) throw again;
      });
    }
  }

  const running = runSubscription({
    store,
    after: START,
    categories,
    batchSize: BATCH,
    signal,
    async handle(events) {
      const begun = performance.now();
      for (const event of events) await check(event);
      if (!isAtEnd) await sleep((performance.now() - begun) * (1 / SHARE_OF_TIME - 1), signal);
    },
    caughtUp() {
      isAtEnd = true;
      return 'stay';
    },
    failed(error, isFinal) {
      if (isFinal) logger.error({ error: messageOf(error) }, 'check of events for decoding stopped');
    },
  });
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
