/** Tells this process what is recorded about drafts, by whichever process: who waits for an outcome looks, who settles begins. */
import type { EventStore, Position } from '../ports/event-store.ts';
import { runSubscription } from '../runtime/subscription-runner.ts';
import { draft } from '../streams/draft.ts';
import { featuredList } from '../streams/featured-list.ts';
import { launch } from '../streams/launch.ts';
import { token } from '../streams/token.ts';

/** The streams in which drafts live, and those of what they are for. */
const CATEGORIES = [draft, featuredList, launch, token].map(({ category }) => category);

export interface DraftSignalsOptions {
  readonly store: EventStore;
  /** Something was recorded about the draft, or what it was for. */
  readonly changed: (transactionId: string) => void;
  /** A submission was recorded at the position. */
  readonly submitted: (position: Position) => void;
  readonly report: (message: string, details: object) => void;
}

export interface DraftSignals {
  stop(): Promise<void>;
}

/** From the present end of the log on. A signal is a hint: whoever relies on it looks by itself now and then. */
export async function startDraftSignals(options: DraftSignalsOptions): Promise<DraftSignals> {
  const { store, changed, submitted, report } = options;
  const stopping = new AbortController();
  const running = runSubscription({
    store,
    after: await store.head(),
    categories: CATEGORIES,
    signal: stopping.signal,
    async handle(events) {
      for (const { type, data, position } of events) {
        if (typeof data.transactionId === 'string') changed(data.transactionId);
        if (type === 'SubmissionAccepted') submitted(position);
      }
    },
    failed: (error, final) =>
      report('the log cannot be followed', {
        error: error instanceof Error ? error.message : String(error),
        final,
      }),
  });
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
