/** State of a draft by stage; each stage has exactly its own fields. */
import type {
  AcceptedSubmission,
  Conclusion,
  FailedSubmission,
  FloodedHistory,
  IssuedDraft,
  LandedSubmission,
  OverdueSubmission,
  UnknownOutcome,
} from './draft-events.ts';

export interface AbsentDraft {
  readonly status: 'absent';
  /** Number of lapsed claims. If it has changed, recording the draft is refused. */
  readonly abandonments: number;
}

/**
 * Draft whose `DraftIssued` is quarantined and whose later events are not. It may be pending, so its claims are not
 * released.
 */
interface UnreadableDraft {
  readonly status: 'unreadable';
}

interface Issued {
  readonly issued: IssuedDraft;
}

/** Draft without an outcome so far. */
export interface Living extends Issued {
  /** Set while the outcome is searched in a flooded history. */
  readonly flooded: FloodedHistory | undefined;
  /** Set while nothing on the chain shows the outcome. */
  readonly unknown: UnknownOutcome | undefined;
  /** Conclusion by an operator; the outcome is the next event. */
  readonly concluded: Conclusion | undefined;
}

/** Accepted draft, which the service sends. */
export interface Submitted {
  readonly accepted: AcceptedSubmission;
  readonly overdue: OverdueSubmission | undefined;
}

/** Draft sent by its creator without the service, which is possible for launches, also for cancelled ones. */
export interface SentByCreator {
  readonly accepted: undefined;
  readonly cancelled: boolean;
}

/** Draft with a final outcome. */
export interface Ended extends Issued {
  /** Set if an operator determined the outcome. */
  readonly concluded: Conclusion | undefined;
}

export interface OpenDraft extends Living {
  readonly status: 'open';
}

/** Cancelled by its creator. A launch may still land. */
interface CancelledDraft extends Living {
  readonly status: 'cancelled';
}

interface SubmittedDraft extends Living, Submitted {
  readonly status: 'submitted';
}

interface Confirmed extends Living {
  readonly status: 'confirmed';
  readonly landed: LandedSubmission;
}

type ConfirmedSubmission = Confirmed & Submitted;
type ConfirmedDraft = ConfirmedSubmission | (Confirmed & SentByCreator);

interface SupersededDraft extends Issued {
  readonly status: 'superseded';
}

interface ExpiredDraft extends Ended {
  readonly status: 'expired';
  /** True if its creator had cancelled it. */
  readonly cancelled: boolean;
}

interface Finalized extends Ended {
  readonly status: 'finalized';
  readonly landed: LandedSubmission;
}

type FinalizedDraft = (Finalized & Submitted) | (Finalized & SentByCreator);

interface Failed extends Ended {
  readonly status: 'failed';
  readonly failed: FailedSubmission;
}

export type FailedDraft = (Failed & Submitted) | (Failed & SentByCreator);

/** Draft with an open outcome: waiting for a signature, being sent, or possibly sent by its creator. */
export type LivingDraft = OpenDraft | CancelledDraft | SubmittedDraft | ConfirmedDraft;
/** Accepted, and not final. */
export type PendingSubmission = SubmittedDraft | ConfirmedSubmission;
export type DraftOnRecord = LivingDraft | SupersededDraft | ExpiredDraft | FinalizedDraft | FailedDraft;
export type DraftState = AbsentDraft | UnreadableDraft | DraftOnRecord;
export type DraftStatus = DraftState['status'];

export function isOnRecord(state: DraftState): state is DraftOnRecord {
  return state.status !== 'absent' && state.status !== 'unreadable';
}

export function issuedOf(state: DraftState): IssuedDraft | undefined {
  return isOnRecord(state) ? state.issued : undefined;
}

export function isLiving(state: DraftState): state is LivingDraft {
  switch (state.status) {
    case 'open':
    case 'cancelled':
    case 'submitted':
    case 'confirmed':
      return true;
    case 'absent':
    case 'unreadable':
    case 'superseded':
    case 'expired':
    case 'finalized':
    case 'failed':
      return false;
  }
}

export function isPending(state: DraftState): state is PendingSubmission {
  return state.status === 'submitted' || (state.status === 'confirmed' && state.accepted !== undefined);
}

/** Accepted, or landed without the service: clients may send transactions themselves. */
export function isUnderWay(state: DraftState): boolean {
  switch (state.status) {
    case 'submitted':
    case 'confirmed':
    case 'finalized':
      return true;
    case 'failed':
      return state.accepted !== undefined;
    default:
      return false;
  }
}

/** True without an outcome, if the draft was accepted or is a launch that its creator may have sent. */
export function isOutcomeOpen(state: DraftState): state is LivingDraft {
  return isLiving(state) && (isUnderWay(state) || state.issued.subject.kind === 'launch');
}

/** Signature that landed, otherwise the accepted one: the same message can be signed differently. */
export function knownSignature(state: LivingDraft): string | undefined {
  return state.status === 'confirmed' ? state.landed.signature : acceptedOf(state)?.signature;
}

export function acceptedOf(state: DraftState): AcceptedSubmission | undefined {
  return 'accepted' in state ? state.accepted : undefined;
}

/** An operator's conclusion about the outcome. */
export function conclusionOf(state: DraftState): Conclusion | undefined {
  return 'concluded' in state ? state.concluded : undefined;
}

/** True if its creator cancelled it, regardless of its later outcome. */
export function isCancelled(state: DraftState): boolean {
  return state.status === 'cancelled' || ('cancelled' in state && state.cancelled);
}
