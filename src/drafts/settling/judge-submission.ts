/** Judges an accepted submission by what the chain shows. Pure. */
import type { SignatureStatus } from '../../kernel/ports/chain.ts';
import { knownSignature, type PendingSubmission } from '../../streams/draft-state.ts';
import type { Consumption } from './nonce-search.ts';

/** What the chain shows of a submission at one moment. */
export interface SubmissionObservation {
  /** The nonce account's value at each commitment; undefined if the account is not seen. */
  readonly confirmedValue: string | undefined;
  readonly finalizedValue: string | undefined;
  /** The status of the draft's known signature. */
  readonly status: SignatureStatus | undefined;
}

export type Verdict =
  /** The value is unspent: send the transaction, or the advance once the deadline has passed. */
  | { readonly kind: 'send' }
  | { readonly kind: 'confirmed'; readonly signature: string; readonly slot: number }
  | { readonly kind: 'finalized'; readonly signature: string; readonly slot: number }
  /** The value was spent and is unspent again. */
  | { readonly kind: 'gone' }
  /** The value is spent; look up at this commitment what spent it. */
  | { readonly kind: 'search'; readonly commitment: 'confirmed' | 'finalized' }
  | { readonly kind: 'wait' };

/** `value`: of its nonce, which it spends. */
export function judgeSubmission(
  state: PendingSubmission,
  value: string,
  observation: SubmissionObservation,
): Verdict {
  const known = knownSignature(state);
  const { status } = observation;
  // Success is believed wherever it is seen; failure only once it is final.
  const succeeded = status !== undefined && status.error === undefined;
  if (succeeded && status.commitment === 'finalized')
    return { kind: 'finalized', signature: known, slot: status.slot };
  if (succeeded && status.commitment === 'confirmed') {
    return state.status === 'confirmed'
      ? { kind: 'wait' }
      : { kind: 'confirmed', signature: known, slot: status.slot };
  }
  const spentFinally = observation.finalizedValue !== undefined && observation.finalizedValue !== value;
  if (spentFinally) return { kind: 'search', commitment: 'finalized' };
  if (observation.confirmedValue === value) return { kind: state.status === 'confirmed' ? 'gone' : 'send' };
  if (observation.confirmedValue === undefined || state.status === 'confirmed') return { kind: 'wait' };
  return { kind: 'search', commitment: 'confirmed' };
}

/** What a found consumption means; `ours`: whether it carries the draft's own message. */
export type Outcome =
  | { readonly kind: 'confirmed' | 'finalized'; readonly signature: string; readonly slot: number }
  | {
      readonly kind: 'failed';
      readonly code: 'CHAIN_REJECTED' | 'TRANSACTION_EXPIRED';
      readonly message: string;
      readonly logs: readonly string[];
    }
  | { readonly kind: 'wait' };

export function judgeConsumption(
  state: PendingSubmission,
  consumption: Consumption,
  ours: boolean,
  commitment: 'confirmed' | 'finalized',
): Outcome {
  const { signature, slot, error, logs } = consumption;
  if (ours && error === undefined) {
    if (commitment === 'confirmed' && state.status === 'confirmed') return { kind: 'wait' };
    return { kind: commitment, signature, slot };
  }
  if (commitment === 'confirmed') return { kind: 'wait' };
  return ours
    ? {
        kind: 'failed',
        code: 'CHAIN_REJECTED',
        message: `The chain refused the transaction: ${error}.`,
        logs,
      }
    : {
        kind: 'failed',
        code: 'TRANSACTION_EXPIRED',
        message: 'The transaction did not land in time and can no longer land.',
        logs: [],
      };
}
