/** What a draft is, by its stage: each has what it can have, and nothing else. */
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
  /** How often claims for it lapsed. A recording that was prepared at another count is refused. */
  readonly abandonments: number;
}

/** Its issue is quarantined, and what came later is not. It may be under way, so nothing of it is given to others. */
export interface UnreadableDraft {
  readonly status: 'unreadable';
}

export interface Issued {
  /** With the latest version of its message. */
  readonly issued: IssuedDraft;
  /** The number of that version. */
  readonly version: number;
  /** The blockhashes of earlier versions. */
  readonly formerBlockhashes: readonly string[];
}

/** Without an outcome so far. */
export interface Living extends Issued {
  /** While its outcome is searched in a history that somebody has flooded. */
  readonly flooded: FloodedHistory | undefined;
  /** While nothing on the chain shows its outcome. */
  readonly unknown: UnknownOutcome | undefined;
  /** By an operator: its outcome is the next event. */
  readonly concluded: Conclusion | undefined;
}

interface NotSubmitted {
  /** Whether the latest version of its message was submitted and can no longer land. */
  readonly hasLapsed: boolean;
}

/** From its acceptance on, the service sends it. */
export interface Submitted {
  readonly accepted: AcceptedSubmission;
  readonly overdue: OverdueSubmission | undefined;
}

/** Its creator has sent it without the service, as launches can be, cancelled or not. */
export interface SentByCreator {
  readonly accepted: undefined;
  readonly cancelled: boolean;
}

/** Its outcome is final. */
export interface Ended extends Issued {
  /** If an operator said so. */
  readonly concluded: Conclusion | undefined;
}

export interface OpenDraft extends Living, NotSubmitted {
  readonly status: 'open';
}

/** By its creator. A launch may land all the same. */
export interface CancelledDraft extends Living, NotSubmitted {
  readonly status: 'cancelled';
}

export interface SubmittedDraft extends Living, Submitted {
  readonly status: 'submitted';
  /** Whether a draft that can be refreshed was seen to have landed before: what it was for may be recorded. */
  readonly wasConfirmed: boolean;
}

interface Confirmed extends Living {
  readonly status: 'confirmed';
  readonly landed: LandedSubmission;
}

export type ConfirmedSubmission = Confirmed & Submitted;
export type ConfirmedDraft = ConfirmedSubmission | (Confirmed & SentByCreator);

export interface SupersededDraft extends Issued, NotSubmitted {
  readonly status: 'superseded';
}

export interface ExpiredDraft extends Ended, NotSubmitted {
  readonly status: 'expired';
  /** Whether its creator had cancelled it. */
  readonly cancelled: boolean;
}

interface Finalized extends Ended {
  readonly status: 'finalized';
  readonly landed: LandedSubmission;
}

export type FinalizedDraft = (Finalized & Submitted) | (Finalized & SentByCreator);

interface Failed extends Ended {
  readonly status: 'failed';
  readonly failed: FailedSubmission;
}

export type FailedDraft = (Failed & Submitted) | (Failed & SentByCreator);

/** Its outcome is open: it waits to be signed, is sent, or may be sent by its creator. */
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

/** The one it landed with, else the one it was accepted with: the same message can be signed differently. */
export function knownSignature(state: PendingSubmission): string {
  return state.status === 'confirmed' ? state.landed.signature : state.accepted.signature;
}

export function acceptedOf(state: DraftState): AcceptedSubmission | undefined {
  return 'accepted' in state ? state.accepted : undefined;
}

/** An operator's word about its outcome. */
export function conclusionOf(state: DraftState): Conclusion | undefined {
  return 'concluded' in state ? state.concluded : undefined;
}

/** Whether its creator cancelled it, whatever became of it then. */
export function isCancelled(state: DraftState): boolean {
  return state.status === 'cancelled' || ('cancelled' in state && state.cancelled);
}
