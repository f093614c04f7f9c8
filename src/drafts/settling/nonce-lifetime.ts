/**
 * Follows accepted submissions on durable nonces by the nonce value, which either the submission or another transaction
 * consumes. After the deadline the service sends its own nonce advance until the value is consumed. A settler that could
 * not send until then, or took over, first sends for as long as a submission is sent at all.
 */

import { buildNonceAdvance, decodeNonceAccount } from '../../chain/durable-nonce.ts';
import type { Keyring } from '../../chain/keys.ts';
import type { Chain, Commitment, SignatureStatus } from '../../kernel/ports/chain.ts';
import type { Clock } from '../../kernel/runtime/clock.ts';
import {
  type AcceptedSubmission,
  type DurableNonce,
  nonceOf,
  SubmissionOverdue,
} from '../../streams/draft-events.ts';
import { isPending, knownSignature, type PendingSubmission } from '../../streams/draft-state.ts';
import type { FollowedDraft } from './followed-draft.ts';
import { judgeConsumption, judgeSubmission, type SubmissionObservation } from './judge-submission.ts';
import { consumptionIn, nonceSearch } from './nonce-search.ts';
import type { FollowedLifetime } from './settler.ts';
import type { Step } from './step.ts';
import { failedStep, landedStep } from './steps.ts';

/** A submission on a nonce. */
export interface NonceSubmission extends FollowedDraft {
  readonly state: PendingSubmission;
  readonly nonce: DurableNonce;
}

export function nonceLifetime(parts: {
  readonly chain: Chain;
  readonly keyring: Keyring;
  readonly clock: Clock;
  /** For how long a submission is sent before it is overtaken. Milliseconds. */
  readonly settleDeadline: number;
}): FollowedLifetime<NonceSubmission, SubmissionObservation> {
  const { chain, keyring, clock, settleDeadline } = parts;

  function sendOrOvertake(
    { transactionId, state, nonce }: NonceSubmission,
    sentSince: number | undefined,
  ): Step {
    const { accepted, overdue } = state;
    if (overdue !== undefined) return { kind: 'send', transaction: overdue.advanceTransaction };
    if (!isOverdue(accepted, { sentSince, settleDeadline, now: clock.now().getTime() }))
      return { kind: 'send', transaction: accepted.signedTransaction };
    const advance = buildNonceAdvance({
      feePayer: keyring.feePayer,
      nonceAuthority: keyring.nonceAuthority,
      nonceAccount: nonce.nonceAccount,
      value: nonce.nonceValue,
    });
    // Record it before sending it: the next round sends it.
    return {
      kind: 'record',
      event: SubmissionOverdue({
        transactionId,
        advanceSignature: advance.signature,
        advanceTransaction: Buffer.from(advance.wire).toString('base64'),
      }),
    };
  }

  async function valuesOf(
    submissions: readonly NonceSubmission[],
    commitment: Commitment,
  ): Promise<ReadonlyMap<NonceSubmission, string | undefined>> {
    if (submissions.length === 0) return new Map();
    const accounts = await chain.accounts(
      submissions.map(({ nonce }) => nonce.nonceAccount),
      commitment,
    );
    return new Map(submissions.map((submission, index) => [submission, nonceValueOf(accounts[index])]));
  }

  return {
    part: 'settler',
    work: 'settle',

    select(followed) {
      const { state } = followed;
      if (!isPending(state)) return undefined;
      const nonce = nonceOf(state.issued);
      return nonce && { ...followed, state, nonce };
    },

    async observe(submissions) {
      const statuses = await chain.statuses(submissions.map(({ state }) => knownSignature(state)));
      // A success needs nothing else; for the others the nonce is read.
      const unknown = submissions.filter((_, index) => !hasSucceeded(statuses[index]));
      const confirmed = await valuesOf(unknown, 'confirmed');
      // Values that are unspent at `confirmed` are unspent at `finalized` too, so they are not asked for again.
      const spent = unknown.filter(
        (each) => each.state.status === 'confirmed' || confirmed.get(each) !== each.nonce.nonceValue,
      );
      const finalized = await valuesOf(spent, 'finalized');
      return submissions.map((submission, index) => ({
        confirmedValue: confirmed.get(submission),
        finalizedValue: finalized.get(submission),
        status: statuses[index],
      }));
    },

    nextStep(submission, observation, sentSince) {
      const { transactionId, state, nonce } = submission;
      const verdict = judgeSubmission(state, nonce.nonceValue, observation);
      switch (verdict.kind) {
        case 'wait':
        case 'gone':
          return verdict;
        case 'send':
          return sendOrOvertake(submission, sentSince);
        case 'search':
          return searchConsumer(submission, verdict.commitment);
        case 'confirmed':
        case 'finalized':
          return landedStep(transactionId, verdict.kind, verdict);
      }
    },
  };
}

/** Times in milliseconds since 1970. Bytes that this settler has not sent for long enough are no reason to give up. */
function isOverdue(
  { deadline }: AcceptedSubmission,
  {
    sentSince,
    settleDeadline,
    now,
  }: { readonly sentSince: number | undefined; readonly settleDeadline: number; readonly now: number },
): boolean {
  return sentSince !== undefined && now >= Math.max(Date.parse(deadline), sentSince + settleDeadline);
}

function searchConsumer(
  { transactionId, state, nonce }: NonceSubmission,
  commitment: 'confirmed' | 'finalized',
): Step {
  return {
    kind: 'search',
    search: nonceSearch(state, nonce, commitment),
    conclude(found) {
      const consumption = consumptionIn(state, found);
      if (consumption === undefined) return { kind: 'wait' };
      const outcome = judgeConsumption(state, consumption, consumption.candidate === 0, commitment);
      switch (outcome.kind) {
        case 'wait':
          return outcome;
        case 'failed':
          return failedStep(transactionId, outcome.code, outcome.message, outcome.logs);
        case 'confirmed':
        case 'finalized':
          return landedStep(transactionId, outcome.kind, outcome);
      }
    },
  };
}

function hasSucceeded(status: SignatureStatus | undefined): boolean {
  return status !== undefined && status.error === undefined && status.commitment !== 'processed';
}

function nonceValueOf(account: { readonly data: Uint8Array } | undefined): string | undefined {
  return account && decodeNonceAccount(account.data)?.value;
}
