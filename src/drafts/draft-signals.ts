/**
 * Signals of events about drafts from any process, so that this process serves calls and settles drafts without a read model.
 * Also lists the drafts with work that the read model does not include yet, so that a lagging or blocked read model delays no
 * submission.
 */

import { LRUCache } from 'lru-cache';
import type { EventStore, Position, RecordedEvent } from '../kernel/ports/event-store.ts';
import type { Logger } from '../kernel/ports/logger.ts';
import { errorMessage } from '../kernel/runtime/error-message.ts';
import type { Projections } from '../kernel/runtime/projector.ts';
import { runSubscription } from '../kernel/runtime/subscription-runner.ts';
import { transactions } from '../projections/transactions.ts';
import { draft } from '../streams/draft.ts';
import { categoryOfType } from '../streams/index.ts';
import { recordingTypes, revertingTypes } from '../streams/purposes/index.ts';

/** Maximum number of listed drafts; older ones are found in the read model once it includes them. */
const MAX_DRAFTS = 10_000;

/** Events after which a draft has to be sent, observed or recorded. */
const STARTING_EVENTS: ReadonlySet<string> = new Set([
  'SubmissionAccepted',
  'SubmissionConfirmed',
  'SubmissionDropped',
  'SubmissionFinalized',
]);
/** Events after which the draft needs no further work before the read model includes it. */
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
  const drafts = new LRUCache<string, Signalled>({ max: MAX_DRAFTS });

  function projectedUpTo(): Position | undefined {
    const status = projector.status().find(({ name }) => name === transactions.name);
    const isShown = status?.served !== undefined || status?.blockedBy !== undefined;
    return isShown ? status.position : undefined;
  }

  function found(isWanted: (draft: Signalled) => boolean): readonly string[] {
    const shown = projectedUpTo();
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
    /** Handles an event about the draft, or about its effect. */
    add(transactionId: string, { type, data, position }: Pick<RecordedEvent, 'type' | 'data' | 'position'>) {
      const known = drafts.peek(transactionId);
      if (known === undefined && !STARTING_EVENTS.has(type) && !isLaunch(type, data)) return;
      const isFinal = (known?.isFinal ?? false) || type === 'SubmissionFinalized';
      const isRecorded = RECORDINGS.has(type) || ((known?.isRecorded ?? false) && !REVERSALS.has(type));
      if (ENDINGS.has(type) || (isFinal && isRecorded)) drafts.delete(transactionId);
      else drafts.set(transactionId, { position, isFinal, isRecorded });
    },
    /** Drafts that the read model does not include with all their events, oldest first; at most the latest ten thousand. */
    unseen: () => found(() => true),
    /** Unseen drafts whose effect is not recorded yet in the stream that they change, such as the token's. */
    unrecorded: () => found(({ isRecorded }) => !isRecorded),
    /** Position from which a starting process reads signals; undefined while queries cannot read the read model. */
    shownUpTo: projectedUpTo,
  };
}

/** Clients send launches themselves, so each is observed from its issue on. */
function isLaunch(type: string, { subject }: RecordedEvent['data']): boolean {
  if (type !== 'DraftIssued' || typeof subject !== 'object' || subject === null) return false;
  return 'kind' in subject && subject.kind === 'launch';
}

/** Categories of drafts and of the events that record their effects. */
const CATEGORIES = [
  ...new Set([
    draft.category,
    ...[...recordingTypes, ...revertingTypes].flatMap((type) => categoryOfType.get(type) ?? []),
  ]),
];

interface DraftSignalsOptions {
  readonly store: EventStore;
  /** Exclusive; default: the head of the log. */
  readonly after?: Position | undefined;
  /** Receives the events before `changed` and `submitted` are called. */
  readonly learn: (events: readonly RecordedEvent[]) => void;
  /** Called for each event about a draft, or about its effect. */
  readonly changed: (transactionId: string, event: RecordedEvent) => void;
  /** Called if a batch includes an accepted submission. */
  readonly submitted: () => void;
  readonly logger: Logger;
}

/** Subscribes to the log. If signals are missed, the work is found in the read model. */
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
    failed: (error, final) =>
      logger.warn({ error: errorMessage(error), final }, 'subscription to the log failed'),
  });
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
