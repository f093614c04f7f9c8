/**
 * Decides whether an operator may end a draft whose outcome nothing on the chain shows. Pure. The operator's claim counts
 * only where nothing contradicts it, and where the bytes can no longer land.
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
  /** `slot`: as the operator found it. */
  | { readonly outcome: 'landed'; readonly signature: string; readonly slot: string | undefined }
  | { readonly outcome: 'not-landed' };

/** The transaction that is said to be the draft's. */
export type ClaimedTransaction =
  | { readonly kind: 'shown'; readonly slot: string }
  | { readonly kind: 'failed'; readonly error: string }
  | { readonly kind: 'another' }
  | {
      readonly kind: 'not-shown';
      /** Slot, if the status shows one. */
      readonly slot: string | undefined;
      /** True if the payer signed the draft's message with it. */
      readonly isSigned: boolean;
    };

/** Finalized facts about the draft. */
export interface LookedUp {
  readonly accepted: string | undefined;
  /** True if its bytes can no longer land. */
  readonly isOver: boolean;
  /** Existence of an account that only its message can create; a promotion or a change of the tax creates none. */
  readonly made: 'yes' | 'no' | 'untold';
  readonly knownHasSucceeded: boolean;
  /** Undefined where nothing is said to have landed. */
  readonly claimed: ClaimedTransaction | undefined;
}

interface ConclusionFacts {
  readonly claim: OutcomeClaim;
  readonly reason: string;
  readonly by: string;
  /** Undefined where there was nothing to look up. */
  readonly lookedUp: LookedUp | undefined;
}

export function decideConclusion(
  state: DraftState,
  { transactionId }: { readonly transactionId: string },
  { claim, reason, by, lookedUp }: ConclusionFacts,
): readonly DraftEvent[] {
  if (!isOnRecord(state)) throw rejection('TRANSACTION_NOT_FOUND', 'Transaction not found.');
  if (isSaid(conclusionOf(state), claim)) return [];
  if (!isOutcomeOpen(state)) throw noOpenOutcome(state);
  if (lookedUp === undefined || lookedUp.accepted !== acceptedOf(state)?.signature)
    throw rejection('CONCURRENT_CHANGE', 'It was submitted or changed at the same moment; try again.', {
      retryAfterSeconds: 1,
    });
  if (!lookedUp.isOver)
    throw rejection(
      'OUTCOME_OPEN',
      'Its bytes can still land: its nonce value is unspent, or final blocks have not passed its last one. Wait for the service to end it.',
    );
  const said = { transactionId, reason, by };
  return claim.outcome === 'landed' ? landed(said, claim, lookedUp) : notLanded(state, said, lookedUp);
}

interface Said {
  readonly transactionId: string;
  readonly reason: string;
  readonly by: string;
}

function isSaid(concluded: Conclusion | undefined, claim: OutcomeClaim): boolean {
  if (concluded?.outcome !== claim.outcome) return false;
  return claim.outcome === 'not-landed' || concluded.signature === claim.signature;
}

function noOpenOutcome({ status }: DraftOnRecord) {
  return status === 'open' || status === 'cancelled'
    ? rejection('TRANSACTION_NOT_SUBMITTED', 'This transaction was never submitted.')
    : rejection('OUTCOME_KNOWN', `Its outcome is known: it is ${status}.`);
}

function landed(
  { transactionId, reason, by }: Said,
  { signature, slot }: Extract<OutcomeClaim, { outcome: 'landed' }>,
  { made, claimed }: LookedUp,
): readonly DraftEvent[] {
  if (made === 'no') throw contradicted('What it makes is not on the chain, so that it has not landed.');
  if (claimed === undefined || claimed.kind === 'another')
    throw contradicted('The transaction of this signature is another one.');
  if (claimed.kind === 'failed')
    throw contradicted(`The transaction of this signature has failed: ${claimed.error}.`);
  if (claimed.kind === 'not-shown' && !claimed.isSigned && made !== 'yes')
    throw contradicted(
      'The node does not show this transaction, and its payer did not sign it with this signature.',
    );
  const foundIn = claimed.slot ?? slot;
  if (foundIn === undefined)
    throw rejection('VALIDATION_FAILED', 'The node does not tell in which slot it landed.', {
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
  { transactionId, reason, by }: Said,
  { made, knownHasSucceeded }: LookedUp,
): readonly DraftEvent[] {
  if (made === 'yes') throw contradicted('What only it can make is on the chain, so that it has landed.');
  if (knownHasSucceeded) throw contradicted('The node says that it has succeeded.');
  const checked = made === 'no' ? 'account' : 'operator';
  return [
    DraftConcluded({ transactionId, outcome: 'not-landed', signature: null, checked, reason, by }),
    isUnderWay(state)
      ? SubmissionFailed({
          transactionId,
          code: 'TRANSACTION_EXPIRED',
          message: 'The transaction did not land and can no longer land; its operator has looked it up.',
          logs: [],
        })
      : DraftExpired({ transactionId }),
  ];
}

function contradicted(message: string) {
  return rejection('OUTCOME_CONTRADICTED', message);
}
