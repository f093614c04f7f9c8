/**
 * Drafts with work that the log names and the read model does not show yet: one that lags, waits at an event that cannot
 * be decoded, or has no writer delays nothing that was submitted.
 */

import { LRUCache } from 'lru-cache';
import type { Position, RecordedEvent } from '../kernel/ports/event-store.ts';
import type { Projections } from '../kernel/runtime/projector.ts';
import { transactions } from '../projections/transactions.ts';
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

export interface SignalledDrafts {
  /** Takes an event about the draft, or about what it was for. */
  add(transactionId: string, event: Pick<RecordedEvent, 'type' | 'data' | 'position'>): void;
  /** The latest ten thousand that the read model does not show as the log has them, oldest first. */
  unseen(): readonly string[];
  /** The unseen drafts whose outcome has not been recorded in the stream that they change, such as the token's. */
  unrecorded(): readonly string[];
  /** Signals of a process that starts begin here: undefined while queries can read nothing. */
  shownUpTo(): Position | undefined;
}

export function createSignalledDrafts(projector: Pick<Projections, 'status'>): SignalledDrafts {
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
    add(transactionId, { type, data, position }) {
      const known = drafts.peek(transactionId);
      if (known === undefined && !BEGINNINGS.has(type) && !isLaunch(type, data)) return;
      const isFinal = (known?.isFinal ?? false) || type === 'SubmissionFinalized';
      const isRecorded = RECORDINGS.has(type) || ((known?.isRecorded ?? false) && !REVERSALS.has(type));
      if (ENDINGS.has(type) || (isFinal && isRecorded)) drafts.delete(transactionId);
      else drafts.set(transactionId, { position, isFinal, isRecorded });
    },
    unseen: () => found(() => true),
    unrecorded: () => found(({ isRecorded }) => !isRecorded),
    shownUpTo,
  };
}

/** Clients send launches themselves, so each is observed from its issue on. */
function isLaunch(type: string, { subject }: RecordedEvent['data']): boolean {
  if (type !== 'DraftIssued' || typeof subject !== 'object' || subject === null) return false;
  return 'kind' in subject && subject.kind === 'launch';
}
