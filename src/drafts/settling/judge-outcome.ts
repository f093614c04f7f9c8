/** Judges from the chain's state whether a draft has landed, has failed, or may still land. Pure. */

import { messageIn } from '../../chain/decode-submitted.ts';
import { wasCertainlyExecuted } from '../../chain/was-executed.ts';
import type { SignatureStatus } from '../../kernel/ports/chain.ts';
import { nonceOf, SubmissionDropped } from '../../streams/draft-events.ts';
import {
  isPending,
  knownSignature,
  type LivingDraft,
  type PendingSubmission,
} from '../../streams/draft-state.ts';
import { type Conclusion, failedStep, landedStep, refusedStep, type Step } from './steps.ts';

/** State of the draft's accounts. */
export type AccountEvidence =
  /** The nonce value is unspent, or the account that only the draft creates is missing. */
  | 'open'
  /** The nonce value is spent, the created account exists, or the blockhash has expired. */
  | 'decided'
  | 'unseen';

/** Chain state of a draft at one time. */
interface Observation {
  /** Status of the draft's known signature. */
  readonly status: SignatureStatus | undefined;
  readonly confirmed: { readonly trace: AccountEvidence };
  readonly finalized: { readonly trace: AccountEvidence };
}

type Verdict =
  | Step
  /** The draft may still land: send it. After its deadline, a draft on a nonce is not sent; the nonce is advanced instead. */
  | 'send'
  /** The outcome is decided: search at this commitment for the transaction that decided it. */
  | 'confirmed'
  | 'finalized';

export function judgeOutcome(
  transactionId: string,
  state: LivingDraft,
  { status, confirmed, finalized }: Observation,
): Verdict {
  const signature = knownSignature(state);
  // Success counts at any commitment; failure counts only once it is final.
  if (signature !== undefined && status !== undefined && status.error === undefined) {
    const { commitment, slot } = status;
    if (commitment === 'finalized') return landedStep(transactionId, commitment, { signature, slot });
    if (commitment === 'confirmed')
      return state.status === 'confirmed'
        ? { kind: 'wait' }
        : landedStep(transactionId, commitment, { signature, slot });
  }
  if (finalized.trace === 'decided') return 'finalized';
  if (confirmed.trace === 'open')
    return state.status === 'confirmed'
      ? { kind: 'absent', event: SubmissionDropped({ transactionId }) }
      : (refusalIn(transactionId, state, status) ?? 'send');
  return confirmed.trace === 'unseen' || state.status === 'confirmed' ? { kind: 'wait' } : 'confirmed';
}

/**
 * Failure of a message on a recent blockhash: the chain executes it once, successfully or not. On a nonce, only the value
 * decides. A transaction that is in a block without having been executed may still run in a later block.
 */
function refusalIn(
  transactionId: string,
  state: LivingDraft,
  status: SignatureStatus | undefined,
): Step | undefined {
  if (!isPending(state) || status?.error === undefined || status.commitment !== 'finalized') return undefined;
  if (nonceOf(state.issued) !== undefined || !wasCertainlyExecuted(status.error) || mayLandOtherwise(state))
    return undefined;
  return refusedStep(transactionId, state.accepted.signature, status.error);
}

/** The service signs a launch when it issues it. With a wallet's guards it is a different message, so both may land. */
function mayLandOtherwise({ issued, accepted }: PendingSubmission): boolean {
  return (
    issued.subject.kind === 'launch' &&
    Buffer.compare(messageIn(accepted.signedTransaction), Buffer.from(issued.message, 'base64')) !== 0
  );
}

/** Transaction that decided the outcome of a draft. */
export interface Decider {
  /** False for the service's advance of the nonce. */
  readonly isOurs: boolean;
  /** May differ from the known signature: the same message can be signed differently. */
  readonly signature: string;
  readonly slot: number;
  readonly error: string | undefined;
  readonly logs: readonly string[];
}

export function concludeFromTransaction(
  transactionId: string,
  state: LivingDraft,
  { isOurs, signature, slot, error, logs }: Decider,
  commitment: 'confirmed' | 'finalized',
): Conclusion {
  const isLanded = isOurs && error === undefined;
  if (commitment === 'confirmed' && (!isLanded || state.status === 'confirmed')) return { kind: 'wait' };
  return isLanded
    ? landedStep(transactionId, commitment, { signature, slot })
    : failedStep(transactionId, isOurs ? error : undefined, logs);
}
