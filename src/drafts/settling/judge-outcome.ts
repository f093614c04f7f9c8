/** Judges by what the chain shows whether a draft has landed, has failed, or may still land. Pure. */
import { hasSurelyRun } from '../../chain/has-run.ts';
import { messageIn } from '../../chain/sent-bytes.ts';
import type { SignatureStatus } from '../../kernel/ports/chain.ts';
import { nonceOf, SubmissionDropped } from '../../streams/draft-events.ts';
import {
  isPending,
  knownSignature,
  type LivingDraft,
  type PendingSubmission,
} from '../../streams/draft-state.ts';
import { type Conclusion, failedStep, landedStep, refusedStep, type Step } from './steps.ts';

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
  | Step
  /** It may still land: send it, or on a nonce the advance once the deadline has passed. */
  | 'send'
  /** Its fate is decided: look up at this commitment which transaction decided it. */
  | 'confirmed'
  | 'finalized';

export function judgeOutcome(
  transactionId: string,
  state: LivingDraft,
  { status, confirmed, finalized }: Observation,
): Verdict {
  const signature = knownSignature(state);
  // Success is believed wherever it is seen; failure only once it is final.
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
 * The chain executes each message on a blockhash once, whether it succeeds or fails. On a nonce only the value decides. A
 * transaction that is in a block without having been executed may still run in a later one.
 */
function refusalIn(
  transactionId: string,
  state: LivingDraft,
  status: SignatureStatus | undefined,
): Step | undefined {
  if (!isPending(state) || status?.error === undefined || status.commitment !== 'finalized') return undefined;
  if (nonceOf(state.issued) !== undefined || !hasSurelyRun(status.error) || mayLandOtherwise(state))
    return undefined;
  return refusedStep(transactionId, state.accepted.signature, status.error);
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

export function judgeDecider(
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
