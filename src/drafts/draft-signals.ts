/** Reports to this process what any process records about drafts, so that it answers and settles without a read model. */

import type { EventStore, Position, RecordedEvent } from '../kernel/ports/event-store.ts';
import type { Logger } from '../kernel/ports/logger.ts';
import { messageOf } from '../kernel/runtime/message-of.ts';
import { runSubscription } from '../kernel/runtime/subscription-runner.ts';
import { draft } from '../streams/draft.ts';
import { categoryOfType } from '../streams/index.ts';
import { recordingTypes, revertingTypes } from '../streams/purposes/index.ts';

/** The categories of drafts and of the events that record what drafts are for. */
const CATEGORIES = [
  ...new Set([
    draft.category,
    ...[...recordingTypes, ...revertingTypes].flatMap((type) => categoryOfType.get(type) ?? []),
  ]),
];

export interface DraftSignalsOptions {
  readonly store: EventStore;
  /** Exclusive; the head of the log unless given. */
  readonly after?: Position | undefined;
  /** Told of the events before anybody acts on them. */
  readonly learn: (events: readonly RecordedEvent[]) => void;
  /** An event was recorded about the draft, or about what it was for. */
  readonly changed: (transactionId: string, event: RecordedEvent) => void;
  /** A submission was recorded. */
  readonly submitted: () => void;
  readonly logger: Logger;
}

export interface DraftSignals {
  stop(): Promise<void>;
}

/** The read model is the backstop for what this process has not heard. */
export async function startDraftSignals(options: DraftSignalsOptions): Promise<DraftSignals> {
  const { store, learn, changed, submitted, logger } = options;
  const stopping = new AbortController();
  const running = runSubscription({
    store,
    after: options.after ?? (await store.head()),
    categories: CATEGORIES,
    signal: stopping.signal,
    async handle(events) {
      learn(events);
      for (const event of events)
        if (typeof event.data.transactionId === 'string') changed(event.data.transactionId, event);
      if (events.some(({ type }) => type === 'SubmissionAccepted')) submitted();
    },
    failed: (error, final) => logger.warn({ error: messageOf(error), final }, 'the log cannot be followed'),
  });
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
