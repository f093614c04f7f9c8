/** Judges by what the chain shows whether a draft has landed, has failed, or may still land. Pure. */
import { hasSurelyRun } from '../../chain/has-run.ts';
import { messageIn } from '../../chain/sent-bytes.ts';
import type { SignatureStatus } from '../../kernel/ports/chain.ts';
import { nonceOf } from '../../streams/draft-events.ts';
import {
  isPending,
  knownSignature,
  type LivingDraft,
  type PendingSubmission,
} from '../../streams/draft-state.ts';

/** The state of the draft's accounts. */
export type Trace =
  /** The nonce value is unspent, or nothing is there that only the draft makes. */
  | 'open'
  /** The nonce value is spent, what the draft makes is there, or its blockhash is over. */
  | 'decided'
  | 'unseen';

/** A draft as the chain shows it at one moment. */
export interface Observation {
  /** The status of the draft's known signature. */
  readonly status: SignatureStatus | undefined;
  readonly confirmed: { readonly trace: Trace };
  readonly finalized: { readonly trace: Trace };
}

export type Verdict =
  /** It may still land: send it, or on a nonce the advance once the deadline has passed. */
  | { readonly kind: 'send' }
  | { readonly kind: 'confirmed' | 'finalized'; readonly signature: string; readonly slot: number }
  /** The accepted transaction has failed for good. */
  | { readonly kind: 'refused'; readonly signature: string; readonly error: string }
  /** It was confirmed and is no longer there. */
  | { readonly kind: 'gone' }
  /** Its fate is decided: look up at this commitment which transaction decided it. */
  | { readonly kind: 'search'; readonly commitment: 'confirmed' | 'finalized' }
  | { readonly kind: 'wait' };

export function judgeOutcome(state: LivingDraft, { status, confirmed, finalized }: Observation): Verdict {
  const signature = knownSignature(state);
  // Success is believed wherever it is seen; failure only once it is final.
  if (signature !== undefined && status !== undefined && status.error === undefined) {
    if (status.commitment === 'finalized') return { kind: 'finalized', signature, slot: status.slot };
    if (status.commitment === 'confirmed')
      return state.status === 'confirmed'
        ? { kind: 'wait' }
        : { kind: 'confirmed', signature, slot: status.slot };
  }
  if (finalized.trace === 'decided') return { kind: 'search', commitment: 'finalized' };
  if (confirmed.trace === 'open')
    return state.status === 'confirmed' ? { kind: 'gone' } : (refusalIn(state, status) ?? { kind: 'send' });
  if (confirmed.trace === 'unseen' || state.status === 'confirmed') return { kind: 'wait' };
  return { kind: 'search', commitment: 'confirmed' };
}

/**
 * The chain runs each message on a blockhash once, whether it succeeds or fails. On a nonce only the value tells. What is in a
 * block without having run may still run in a later one.
 */
function refusalIn(state: LivingDraft, status: SignatureStatus | undefined): Verdict | undefined {
  if (!isPending(state) || status?.error === undefined || status.commitment !== 'finalized') return undefined;
  if (nonceOf(state.issued) !== undefined || !hasSurelyRun(status.error) || mayLandOtherwise(state))
    return undefined;
  return { kind: 'refused', signature: state.accepted.signature, error: status.error };
}

/** A launch is signed by the service when it is issued. With a wallet's guards it is another message, so both may land. */
function mayLandOtherwise({ issued, accepted }: PendingSubmission): boolean {
  return (
    issued.subject.kind === 'launch' &&
    Buffer.compare(messageIn(accepted.signedTransaction), Buffer.from(issued.message, 'base64')) !== 0
  );
}

/** The transaction that decided the fate of a draft. */
export interface Decider {
  /** False for the service's advance of the nonce. */
  readonly isOurs: boolean;
  /** May differ from the known signature: the same message can be signed differently. */
  readonly signature: string;
  readonly slot: number;
  readonly error: string | undefined;
  readonly logs: readonly string[];
}

/** The outcome by the transaction that decided it. */
export type Outcome =
  | { readonly kind: 'confirmed' | 'finalized'; readonly signature: string; readonly slot: number }
  | {
      readonly kind: 'failed';
      readonly code: 'CHAIN_REJECTED' | 'TRANSACTION_EXPIRED';
      readonly message: string;
      readonly logs: readonly string[];
    }
  | { readonly kind: 'wait' };

export function judgeDecider(
  state: LivingDraft,
  { isOurs, signature, slot, error, logs }: Decider,
  commitment: 'confirmed' | 'finalized',
): Outcome {
  if (isOurs && error === undefined) {
    if (commitment === 'confirmed' && state.status === 'confirmed') return { kind: 'wait' };
    return { kind: commitment, signature, slot };
  }
  if (commitment === 'confirmed') return { kind: 'wait' };
  return isOurs && error !== undefined ? refused(error, logs) : EXPIRED;
}

export function refused(error: string, logs: readonly string[]): Extract<Outcome, { kind: 'failed' }> {
  return {
    kind: 'failed',
    code: 'CHAIN_REJECTED',
    message: `The chain refused the transaction: ${error}.`,
    logs,
  };
}

export const EXPIRED: Extract<Outcome, { kind: 'failed' }> = {
  kind: 'failed',
  code: 'TRANSACTION_EXPIRED',
  message: 'The transaction did not land in time and can no longer land.',
  logs: [],
};
