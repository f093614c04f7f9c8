/**
 * Carries every accepted submission on a durable nonce to its end: sends the recorded bytes, watches the nonce value,
 * records what became of it. Knows nothing that is not in the log, so that it goes on from there after any restart.
 */

import { buildNonceAdvance, decodeNonceAccount } from '../chain/durable-nonce.ts';
import type { Keyring } from '../chain/keys.ts';
import type { Chain } from '../ports/chain.ts';
import type { ReadModel } from '../ports/read-model.ts';
import type { InTrace } from '../ports/tracing.ts';
import { transactions } from '../projections/transactions.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Executor } from '../runtime/execute.ts';
import {
  type DraftEvent,
  draft,
  type IssuedDraft,
  nonceOf,
  SubmissionConfirmed,
  SubmissionDropped,
  SubmissionFailed,
  SubmissionFinalized,
  SubmissionOverdue,
} from '../streams/draft.ts';
import { type FollowedDraft, followDraft, requireSomeSuccess } from './followed-draft.ts';
import { judgeConsumption, judgeSubmission, type Sighting } from './judge-submission.ts';
import { type Candidate, findConsumption } from './nonce-consumer.ts';

/** Between two sendings of the same bytes, in milliseconds. */
const RESEND_PAUSE = 2_000;
/** One node behind the others is no fork: it takes so many sightings in a row to believe that a confirmation is gone. */
const SIGHTINGS_OF_A_FORK = 5;
const SUBMISSIONS_A_ROUND = 1_000;
/** Ends the name under which the sending of an advance is remembered. */
const ADVANCE = '/advance';

export interface Settler {
  /** One round over everything that is to be settled. Rejects when the chain or the store does not answer. */
  settle(): Promise<{ readonly waiting: number }>;
}

export interface SettlerOptions {
  readonly executor: Executor;
  readonly readModel: ReadModel;
  readonly chain: Chain;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly report: (message: string, details: object) => void;
  readonly inTrace: InTrace;
}

export function createSettler(options: SettlerOptions): Settler {
  const { executor, readModel, chain, keyring, clock, report, inTrace } = options;
  const lastSent = new Map<string, number>();
  const forkSightings = new Map<string, number>();

  /** Records only while the draft is still in the state that was judged; anything newer is judged anew. */
  async function record(submission: FollowedDraft, event: DraftEvent): Promise<void> {
    await executor.execute(draft, submission.transactionId, submission.cause, (state) =>
      state.status === submission.state.status ? [event] : [],
    );
  }

  async function send(transactionId: string, wire: string): Promise<void> {
    const now = clock.now().getTime();
    if (now - (lastSent.get(transactionId) ?? 0) < RESEND_PAUSE) return;
    lastSent.set(transactionId, now);
    await chain.send(Buffer.from(wire, 'base64'));
  }

  async function sendOrOvertake(submission: FollowedDraft): Promise<void> {
    const { transactionId, state } = submission;
    const { issued, accepted, overdue } = state;
    const nonce = issued && nonceOf(issued);
    if (nonce === undefined || accepted === undefined) return;
    if (overdue !== undefined) return send(`${transactionId}${ADVANCE}`, overdue.advanceTransaction);
    if (clock.now().toISOString() < accepted.deadline) return send(transactionId, accepted.signedTransaction);
    const advance = buildNonceAdvance({
      feePayer: keyring.feePayer,
      nonceAuthority: keyring.nonceAuthority,
      nonceAccount: nonce.nonceAccount,
      value: nonce.nonceValue,
    });
    await record(
      submission,
      SubmissionOverdue({
        transactionId,
        advanceSignature: advance.signature,
        advanceTransaction: Buffer.from(advance.wire).toString('base64'),
      }),
    );
  }

  async function search(submission: FollowedDraft, commitment: 'confirmed' | 'finalized'): Promise<void> {
    const { transactionId, state } = submission;
    const { issued, accepted, overdue } = state;
    const nonce = issued && nonceOf(issued);
    if (nonce === undefined || accepted === undefined) return;
    const candidates = [candidateOf(accepted.signature, accepted.signedTransaction)];
    if (overdue) candidates.push(candidateOf(overdue.advanceSignature, overdue.advanceTransaction));
    const consumption = await findConsumption(chain, nonce.nonceAccount, candidates, commitment);
    if (consumption === undefined) return;
    const outcome = judgeConsumption(state, consumption, consumption.candidate === 0, commitment);
    switch (outcome.kind) {
      case 'wait':
        return;
      case 'failed':
        return record(
          submission,
          SubmissionFailed({
            transactionId,
            code: outcome.code,
            message: outcome.message,
            logs: [...outcome.logs],
          }),
        );
      case 'confirmed':
      case 'finalized':
        return recordLanding(submission, outcome.kind, outcome.signature, outcome.slot);
    }
  }

  function recordLanding(
    submission: FollowedDraft,
    kind: 'confirmed' | 'finalized',
    signature: string,
    slot: number,
  ): Promise<void> {
    const data = { transactionId: submission.transactionId, signature, slot: String(slot) };
    return record(submission, kind === 'confirmed' ? SubmissionConfirmed(data) : SubmissionFinalized(data));
  }

  async function advance(submission: FollowedDraft, sighting: Sighting): Promise<void> {
    const { transactionId, state } = submission;
    if (state.status !== 'submitted' && state.status !== 'confirmed') return;
    const verdict = judgeSubmission(state, sighting);
    if (verdict.kind !== 'dropped') forkSightings.delete(transactionId);
    switch (verdict.kind) {
      case 'wait':
        return;
      case 'send':
        return sendOrOvertake(submission);
      case 'search':
        return search(submission, verdict.commitment);
      case 'confirmed':
      case 'finalized':
        return recordLanding(submission, verdict.kind, verdict.signature, verdict.slot);
      case 'dropped': {
        const sightings = (forkSightings.get(transactionId) ?? 0) + 1;
        forkSightings.set(transactionId, sightings);
        if (sightings < SIGHTINGS_OF_A_FORK) return;
        return record(submission, SubmissionDropped({ transactionId }));
      }
    }
  }

  async function look(submissions: readonly FollowedDraft[]): Promise<readonly Sighting[]> {
    const accounts = submissions.map(({ state }) => accountOf(state.issued));
    const signatures = submissions.map(
      ({ state }) => state.landed?.signature ?? state.accepted?.signature ?? '',
    );
    const [confirmed, finalized, statuses] = await Promise.all([
      chain.accounts(accounts, 'confirmed'),
      chain.accounts(accounts, 'finalized'),
      chain.statuses(signatures),
    ]);
    return submissions.map((_, index) => ({
      confirmedValue: nonceValueOf(confirmed[index]),
      finalizedValue: nonceValueOf(finalized[index]),
      status: statuses[index],
    }));
  }

  /** What one submission suffers is its own; only what all of them suffer stops the round. */
  async function settleSubmissions(): Promise<number> {
    const documents = await readModel.find(transactions, 'work', 'settle', { limit: SUBMISSIONS_A_ROUND });
    const loaded = await Promise.all(
      documents.map(({ transactionId }) => followDraft(executor, 'settler', transactionId)),
    );
    const submissions = loaded.filter(({ state }) => state.accepted !== undefined);
    forgetOthers(new Set(submissions.map(({ transactionId }) => transactionId)));
    if (submissions.length === 0) return 0;
    const sightings = await look(submissions);
    const results = await Promise.allSettled(
      submissions.map((submission, index) =>
        inTrace(submission.cause.traceparent, () => advance(submission, sightings[index] ?? UNSEEN)),
      ),
    );
    requireSomeSuccess(results, submissions, report);
    return submissions.length;
  }

  function forgetOthers(present: ReadonlySet<string>): void {
    for (const sent of lastSent.keys()) if (!present.has(sent.replace(ADVANCE, ''))) lastSent.delete(sent);
    for (const seen of forkSightings.keys()) if (!present.has(seen)) forkSightings.delete(seen);
  }

  return {
    settle: async () => ({ waiting: await settleSubmissions() }),
  };
}

const UNSEEN: Sighting = { confirmedValue: undefined, finalizedValue: undefined, status: undefined };

function accountOf(issued: IssuedDraft | undefined): string {
  const nonce = issued && nonceOf(issued);
  if (nonce === undefined) throw new Error("a draft without a nonce is not the settler's");
  return nonce.nonceAccount;
}

function nonceValueOf(account: { readonly data: Uint8Array } | undefined): string | undefined {
  return account && decodeNonceAccount(account.data)?.value;
}

function candidateOf(signature: string, wireBase64: string): Candidate {
  const wire = Buffer.from(wireBase64, 'base64');
  return { signature, message: wire.subarray(1 + (wire[0] ?? 0) * 64) };
}
