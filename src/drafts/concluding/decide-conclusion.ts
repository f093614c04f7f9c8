/**
 * Decides whether an operator may conclude a draft whose outcome the chain does not show. Pure. The operator's claim is
 * accepted only if the chain does not contradict it, and if the bytes can no longer land.
 */
import {
  type Conclusion,
  DraftConcluded,
  type DraftEvent,
  DraftExpired,
  SubmissionFailed,
  SubmissionFinalized,
} from '../../streams/draft-events.ts';
import {
  acceptedOf,
  conclusionOf,
  type DraftOnRecord,
  type DraftState,
  isOnRecord,
  isOutcomeOpen,
  isUnderWay,
  type LivingDraft,
} from '../../streams/draft-state.ts';
import { rejection } from '../../streams/rejections.ts';

export type OutcomeClaim =
  /** `slot`: as stated by the operator. */
  | { readonly outcome: 'landed'; readonly signature: string; readonly slot: string | undefined }
  | { readonly outcome: 'not-landed' };

/** Chain data of the transaction that the operator claims to be the draft's. */
export type ClaimedTransaction =
  | { readonly kind: 'shown'; readonly slot: string }
  | { readonly kind: 'failed'; readonly error: string }
  | { readonly kind: 'another' }
  | {
      readonly kind: 'not-shown';
      /** Slot of the status; undefined without a status. */
      readonly slot: string | undefined;
      /** True if the payer signed the draft's message with the claimed signature. */
      readonly isSigned: boolean;
    };

/** Finalized facts about the draft. */
export interface LookedUp {
  readonly accepted: string | undefined;
  /** True if the draft's bytes can no longer land. */
  readonly isOver: boolean;
  /** Existence of an account that only the draft's message can create; `untold` for purposes that create no account. */
  readonly made: 'yes' | 'no' | 'untold';
  readonly recordedHasSucceeded: boolean;
  /** Undefined unless the operator claims that the draft has landed. */
  readonly claimed: ClaimedTransaction | undefined;
}

interface ConclusionFacts {
  readonly claim: OutcomeClaim;
  readonly reason: string;
  readonly by: string;
  /** Undefined if no lookup was needed. */
  readonly lookedUp: LookedUp | undefined;
}

export function decideConclusion(
  state: DraftState,
  { transactionId }: { readonly transactionId: string },
  { claim, reason, by, lookedUp }: ConclusionFacts,
): readonly DraftEvent[] {
  if (!isOnRecord(state)) throw rejection('TRANSACTION_NOT_FOUND', 'Transaction not found.');
  if (isAlreadyConcluded(conclusionOf(state), claim)) return [];
  if (!isOutcomeOpen(state)) throw noOpenOutcome(state);
  if (lookedUp === undefined || lookedUp.accepted !== acceptedOf(state)?.signature)
    throw rejection(
      'CONCURRENT_CHANGE',
      'The transaction was submitted or changed concurrently; try again.',
      {
        retryAfterSeconds: 1,
      },
    );
  if (!lookedUp.isOver)
    throw rejection(
      'OUTCOME_OPEN',
      'The transaction can still land: its nonce value is unspent, or its last valid block is not final. Wait for the service to end it.',
    );
  const said = { transactionId, reason, by };
  return claim.outcome === 'landed' ? landed(said, claim, lookedUp) : notLanded(state, said, lookedUp);
}

interface StatedOutcome {
  readonly transactionId: string;
  readonly reason: string;
  readonly by: string;
}

function isAlreadyConcluded(concluded: Conclusion | undefined, claim: OutcomeClaim): boolean {
  if (concluded?.outcome !== claim.outcome) return false;
  return claim.outcome === 'not-landed' || concluded.signature === claim.signature;
}

function noOpenOutcome({ status }: DraftOnRecord) {
  return status === 'open' || status === 'cancelled'
    ? rejection('TRANSACTION_NOT_SUBMITTED', 'This transaction was never submitted.')
    : rejection('OUTCOME_KNOWN', `The outcome of this transaction is known: ${status}.`);
}

function landed(
  { transactionId, reason, by }: StatedOutcome,
  { signature, slot }: Extract<OutcomeClaim, { outcome: 'landed' }>,
  { made, claimed }: LookedUp,
): readonly DraftEvent[] {
  if (made === 'no')
    throw contradictionRejection(
      'The transaction has not landed: the account that it creates is not on the chain.',
    );
  if (claimed === undefined || claimed.kind === 'another')
    throw contradictionRejection('The transaction with this signature is not the one of this draft.');
  if (claimed.kind === 'failed')
    throw contradictionRejection(`The transaction with this signature has failed: ${claimed.error}.`);
  if (claimed.kind === 'not-shown' && !claimed.isSigned && made !== 'yes')
    throw contradictionRejection(
      'The node does not return this transaction, and the signature is not by its payer.',
    );
  const foundIn = claimed.slot ?? slot;
  if (foundIn === undefined)
    throw rejection('VALIDATION_FAILED', 'The node does not return the slot of the transaction; send slot.', {
      details: [{ path: ['slot'], message: 'must be given' }],
    });
  const checked = claimed.kind === 'shown' ? 'transaction' : made === 'yes' ? 'account' : 'signature';
  return [
    DraftConcluded({ transactionId, outcome: 'landed', signature, checked, reason, by }),
    SubmissionFinalized({ transactionId, signature, slot: foundIn }),
  ];
}

function notLanded(
  state: LivingDraft,
  { transactionId, reason, by }: StatedOutcome,
  { made, recordedHasSucceeded }: LookedUp,
): readonly DraftEvent[] {
  if (made === 'yes')
    throw contradictionRejection(
      'The transaction has landed: the account that only it can create is on the chain.',
    );
  if (recordedHasSucceeded)
    throw contradictionRejection('The transaction has succeeded, according to the node.');
  const checked = made === 'no' ? 'account' : 'operator';
  return [
    DraftConcluded({ transactionId, outcome: 'not-landed', signature: null, checked, reason, by }),
    isUnderWay(state)
      ? SubmissionFailed({
          transactionId,
          code: 'TRANSACTION_EXPIRED',
          message:
            'The transaction did not land and can no longer land. An operator has recorded this outcome.',
          logs: [],
        })
      : DraftExpired({ transactionId }),
  ];
}

function contradictionRejection(message: string) {
  return rejection('OUTCOME_CONTRADICTED', message);
}
