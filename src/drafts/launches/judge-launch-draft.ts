/**
 * Judges a launch draft by its accounts on the chain. Pure. Its message carries a recent blockhash: it has landed if
 * and only if its position exists, and is dead once the chain is past the blocks that could hold it and the position
 * does not exist.
 */

import { hasSurelyRun } from '../../chain/has-run.ts';
import type { LaunchVerdict } from '../../chain/venue/judge-launch.ts';
import type { SignatureStatus } from '../../kernel/ports/chain.ts';
import type { LivingDraft, SubmittedDraft } from '../../streams/draft-state.ts';

/** What the chain shows of a launch draft at one moment. */
export interface LaunchObservation {
  readonly confirmed: LaunchVerdict;
  /** Not older than `finalizedHeight`. */
  readonly finalized: LaunchVerdict;
  readonly finalizedHeight: bigint;
  /** The status of the accepted signature; undefined if the draft was not accepted. */
  readonly status: SignatureStatus | undefined;
}

export type LaunchDraftVerdict =
  /** The position exists at this commitment: find the transaction that created it. */
  | { readonly kind: 'landed'; readonly commitment: 'confirmed' | 'finalized' }
  /** The position existed and no longer does: a fork took it, or its owner closed it. */
  | { readonly kind: 'gone' }
  /** The draft can no longer land. It may have landed only if its position was closed since. */
  | { readonly kind: 'over' }
  /** The accepted transaction has failed for good. */
  | { readonly kind: 'failed'; readonly signature: string; readonly error: string }
  /** The draft may still land: send the accepted transaction, if there is one. */
  | { readonly kind: 'wait' };

export function judgeLaunchDraft(state: LivingDraft, observation: LaunchObservation): LaunchDraftVerdict {
  const { confirmed, finalized, finalizedHeight, status } = observation;
  const { lifetime } = state.issued;
  if (lifetime.kind !== 'recent-blockhash') return { kind: 'wait' };
  if (finalized.kind === 'landed') return { kind: 'landed', commitment: 'finalized' };
  if (finalizedHeight > BigInt(lifetime.lastValidBlockHeight)) return { kind: 'over' };
  if (confirmed.kind === 'landed') {
    return state.status === 'confirmed' ? { kind: 'wait' } : { kind: 'landed', commitment: 'confirmed' };
  }
  if (state.status === 'confirmed') return { kind: 'gone' };
  const error = status?.commitment === 'finalized' ? status.error : undefined;
  if (error === undefined || !hasSurelyRun(error) || state.status !== 'submitted' || !isAsIssued(state))
    return { kind: 'wait' };
  return { kind: 'failed', signature: state.accepted.signature, error };
}

/** The chain runs each message once, whether it succeeds or fails. A wallet's guards make it another message. */
function isAsIssued({ issued, accepted }: SubmittedDraft): boolean {
  const wire = Buffer.from(accepted.signedTransaction, 'base64');
  const message = wire.subarray(1 + (wire[0] ?? 0) * 64);
  return message.equals(Buffer.from(issued.message, 'base64'));
}
