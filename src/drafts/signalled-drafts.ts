/**
 * Signals of what any process records about drafts, so that this one answers and settles without a read model; and the drafts with work that the log names and the read model does not show yet: one that lags, waits at an event that cannot
 * be decoded, or has no writer delays nothing that was submitted.
 */

import { LRUCache } from 'lru-cache';
import type { EventStore, Position, RecordedEvent } from '../kernel/ports/event-store.ts';
import type { Logger } from '../kernel/ports/logger.ts';
import { messageOf } from '../kernel/runtime/message-of.ts';
import type { Projections } from '../kernel/runtime/projector.ts';
import { runSubscription } from '../kernel/runtime/subscription-runner.ts';
import { transactions } from '../projections/transactions.ts';
import { draft } from '../streams/draft.ts';
import { categoryOfType } from '../streams/index.ts';
import { recordingTypes, revertingTypes } from '../streams/purposes/index.ts';

/** The oldest beyond them are found in the read model once it shows them. */
const MOST_DRAFTS = 10_000;

/** The draft is to be sent, observed or recorded from then on. */
const BEGINNINGS: ReadonlySet<string> = new Set([
  'SubmissionAccepted',
  'SubmissionConfirmed',
  'SubmissionDropped',
  'SubmissionFinalized',
]);
/** Nothing is left to do that the read model would not show later. */
const ENDINGS: ReadonlySet<string> = new Set(['DraftExpired', 'DraftSuperseded', 'SubmissionFailed']);
const RECORDINGS: ReadonlySet<string> = new Set(recordingTypes);
const REVERSALS: ReadonlySet<string> = new Set(revertingTypes);

interface Signalled {
  readonly position: Position;
  readonly isFinal: boolean;
  readonly isRecorded: boolean;
}

export type SignalledDrafts = ReturnType<typeof createSignalledDrafts>;

export function createSignalledDrafts(projector: Pick<Projections, 'status'>) {
  const drafts = new LRUCache<string, Signalled>({ max: MOST_DRAFTS });

  function shownUpTo(): Position | undefined {
    const status = projector.status().find(({ name }) => name === transactions.name);
    const isShown = status?.served !== undefined || status?.blockedBy !== undefined;
    return isShown ? status.position : undefined;
  }

  function found(isWanted: (draft: Signalled) => boolean): readonly string[] {
    const shown = shownUpTo();
    const wanted: string[] = [];
    for (const transactionId of [...drafts.rkeys()]) {
      const draft = drafts.peek(transactionId);
      if (draft === undefined) continue;
      if (shown !== undefined && draft.position <= shown) drafts.delete(transactionId);
      else if (isWanted(draft)) wanted.push(transactionId);
    }
    return wanted;
  }

  return {
    /** Takes an event about the draft, or about what it was for. */
    add(transactionId: string, { type, data, position }: Pick<RecordedEvent, 'type' | 'data' | 'position'>) {
      const known = drafts.peek(transactionId);
      if (known === undefined && !BEGINNINGS.has(type) && !isLaunch(type, data)) return;
      const isFinal = (known?.isFinal ?? false) || type === 'SubmissionFinalized';
      const isRecorded = RECORDINGS.has(type) || ((known?.isRecorded ?? false) && !REVERSALS.has(type));
      if (ENDINGS.has(type) || (isFinal && isRecorded)) drafts.delete(transactionId);
      else drafts.set(transactionId, { position, isFinal, isRecorded });
    },
    /** The latest ten thousand that the read model does not show as the log has them, oldest first. */
    unseen: () => found(() => true),
    /** The unseen drafts whose outcome has not been recorded in the stream that they change, such as the token's. */
    unrecorded: () => found(({ isRecorded }) => !isRecorded),
    /** Signals of a process that starts begin here: undefined while queries can read nothing. */
    shownUpTo,
  };
}

/** Clients send launches themselves, so each is observed from its issue on. */
function isLaunch(type: string, { subject }: RecordedEvent['data']): boolean {
  if (type !== 'DraftIssued' || typeof subject !== 'object' || subject === null) return false;
  return 'kind' in subject && subject.kind === 'launch';
}

/** The categories of drafts and of the events that record what drafts are for. */
const CATEGORIES = [
  ...new Set([
    draft.category,
    ...[...recordingTypes, ...revertingTypes].flatMap((type) => categoryOfType.get(type) ?? []),
  ]),
];

interface DraftSignalsOptions {
  readonly store: EventStore;
  /** Exclusive; the head of the log unless given. */
  readonly after?: Position | undefined;
  /** Receives the events before any reaction to them. */
  readonly learn: (events: readonly RecordedEvent[]) => void;
  /** An event was recorded about the draft, or about what it was for. */
  readonly changed: (transactionId: string, event: RecordedEvent) => void;
  /** A submission was recorded. */
  readonly submitted: () => void;
  readonly logger: Logger;
}

/** The read model is the backstop for what this process has not heard. */
export async function startDraftSignals(options: DraftSignalsOptions) {
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
