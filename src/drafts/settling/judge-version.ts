/**
 * Judges an accepted submission on a recent blockhash by what the chain shows. Pure. Only the accepted message carries
 * a signature of the draft's own key, and the chain takes a message once, whether it succeeds or fails.
 */
import { hasSurelyRun } from '../../chain/has-run.ts';
import type { SignatureStatus } from '../../kernel/ports/chain.ts';
import type { IssuedDraft } from '../../streams/draft-events.ts';
import { knownSignature, type PendingSubmission } from '../../streams/draft-state.ts';

/** What the chain shows of a submission at one moment. */
export interface VersionObservation {
  /** The status of the draft's known signature. */
  readonly status: SignatureStatus | undefined;
  readonly finalizedHeight: bigint;
}

export type VersionVerdict =
  /** It may still land: send it. */
  | { readonly kind: 'send' }
  | { readonly kind: 'confirmed' | 'finalized'; readonly signature: string; readonly slot: number }
  /** It has failed for good. */
  | { readonly kind: 'failed'; readonly signature: string; readonly error: string }
  /** It was confirmed and is no longer there. */
  | { readonly kind: 'gone' }
  /** No block to come can hold it: look up in the final history of the draft's key whether it has landed. */
  | { readonly kind: 'search' }
  | { readonly kind: 'wait' };

export function judgeVersion(
  state: PendingSubmission,
  { status, finalizedHeight }: VersionObservation,
): VersionVerdict {
  const signature = knownSignature(state);
  const { slot, error, commitment } = status ?? {};
  // Success is believed wherever it is seen; failure only once it is final.
  if (slot !== undefined && error === undefined && commitment === 'finalized')
    return { kind: 'finalized', signature, slot };
  if (slot !== undefined && error === undefined && commitment === 'confirmed')
    return state.status === 'confirmed' ? { kind: 'wait' } : { kind: 'confirmed', signature, slot };
  // What stands in a block without having run may still run in a later one.
  const hasFailed = error !== undefined && hasSurelyRun(error);
  if (hasFailed && commitment === 'finalized') return { kind: 'failed', signature, error };
  if (state.status === 'confirmed')
    return status === undefined || error !== undefined ? { kind: 'gone' } : { kind: 'wait' };
  if (isOver(state.issued, finalizedHeight)) return { kind: 'search' };
  return hasFailed ? { kind: 'wait' } : { kind: 'send' };
}

/** Whether no block after a final one of this height can hold the bytes, on any fork. */
export function isOver({ lifetime }: Pick<IssuedDraft, 'lifetime'>, finalizedHeight: bigint): boolean {
  return lifetime.kind === 'recent-blockhash' && finalizedHeight > BigInt(lifetime.lastValidBlockHeight);
}

/** What the final history of the draft's key shows of the accepted message. */
export type Landing =
  | {
      readonly kind: 'landed';
      /** May differ from the known signature: the same message can be signed differently. */
      readonly signature: string;
      readonly slot: number;
      readonly error: string | undefined;
      readonly logs: readonly string[];
    }
  /** The whole history was read, and the message is not in it. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown' };

export type VersionEnd =
  | { readonly kind: 'finalized'; readonly signature: string; readonly slot: number }
  | { readonly kind: 'refused'; readonly error: string; readonly logs: readonly string[] }
  /** The draft can be refreshed, and signed again. */
  | { readonly kind: 'lapsed'; readonly signature: string }
  | { readonly kind: 'expired' }
  | { readonly kind: 'wait' };

/** What becomes of a submission that can no longer land. `now`: ISO 8601. */
export function judgeEnd(state: PendingSubmission, landing: Landing, now: string): VersionEnd {
  const { issued, accepted } = state;
  switch (landing.kind) {
    case 'unknown':
      return { kind: 'wait' };
    case 'landed':
      return landing.error === undefined
        ? { kind: 'finalized', signature: landing.signature, slot: landing.slot }
        : { kind: 'refused', error: landing.error, logs: landing.logs };
    case 'absent':
      // What a fork took back has to be taken back here as well, and only a failed draft is.
      return state.status === 'confirmed' || state.wasConfirmed || issued.expiresAt <= now
        ? { kind: 'expired' }
        : { kind: 'lapsed', signature: accepted.signature };
  }
}
