/**
 * Carries every launch draft to its end. Clients mostly send launches by themselves, so that each is watched from its
 * issue on; what was submitted through the service is also sent, again and again while it can land.
 */

import { type IssuedLaunch, judgeLaunch, judgePool } from '../../chain/venue/judge-launch.ts';
import type { Chain, ChainAccount, SignatureStatus } from '../../ports/chain.ts';
import type { ReadModel } from '../../ports/read-model.ts';
import type { InTrace } from '../../ports/tracing.ts';
import { transactions } from '../../projections/transactions.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Executor } from '../../runtime/execute.ts';
import {
  type DraftEvent,
  DraftExpired,
  draft,
  SubmissionConfirmed,
  SubmissionDropped,
  SubmissionFailed,
  SubmissionFinalized,
} from '../../streams/draft.ts';
import type { Launch } from '../../streams/purposes/token-launch.ts';
import { issuedLaunchOf } from '../../streams/recorded-launch.ts';
import { type FollowedDraft, followDraft, requireSomeSuccess } from '../followed-draft.ts';
import { findLanding, type Landing } from './find-landing.ts';
import { judgeLaunchDraft, type LaunchSighting } from './judge-launch-draft.ts';

/** Between two sendings of the same bytes, in milliseconds. */
const RESEND_PAUSE = 2_000;
/** One node behind the others is no fork: it takes so many sightings in a row to believe that a confirmation is gone. */
const SIGHTINGS_OF_A_FORK = 5;
const DRAFTS_A_ROUND = 1_000;

export interface LaunchSettler {
  /** One round over every launch draft that lives. Rejects when the chain or the store does not answer. */
  settle(): Promise<{ readonly waiting: number }>;
}

export interface LaunchSettlerOptions {
  readonly executor: Executor;
  readonly readModel: ReadModel;
  readonly chain: Chain;
  readonly clock: Clock;
  readonly report: (message: string, details: object) => void;
  readonly inTrace: InTrace;
}

interface LaunchDraft extends FollowedDraft {
  readonly subject: Launch;
  readonly launch: IssuedLaunch;
}

interface Sighted {
  readonly sighting: LaunchSighting;
  readonly finalizedPool: ChainAccount | undefined;
}

export function createLaunchSettler(options: LaunchSettlerOptions): LaunchSettler {
  const { executor, readModel, chain, clock, report, inTrace } = options;
  const lastSent = new Map<string, number>();
  const forkSightings = new Map<string, number>();

  /** Records only while the draft is still in the state that was judged; anything newer is judged anew. */
  async function record(
    { transactionId, cause, state: judged }: LaunchDraft,
    event: DraftEvent,
  ): Promise<void> {
    await executor.execute(draft, transactionId, cause, (state) =>
      state.status === judged.status ? [event] : [],
    );
  }

  async function recordFailure(
    followed: LaunchDraft,
    code: 'CHAIN_REJECTED' | 'TRANSACTION_EXPIRED',
    message: string,
    logs: readonly string[] = [],
  ): Promise<void> {
    const { transactionId } = followed;
    await record(followed, SubmissionFailed({ transactionId, code, message, logs: [...logs] }));
  }

  async function recordLanding(
    followed: LaunchDraft,
    commitment: 'confirmed' | 'finalized',
    { signature, slot }: Landing,
  ): Promise<void> {
    const data = { transactionId: followed.transactionId, signature, slot: String(slot) };
    await record(
      followed,
      commitment === 'confirmed' ? SubmissionConfirmed(data) : SubmissionFinalized(data),
    );
  }

  async function land(
    followed: LaunchDraft,
    commitment: 'confirmed' | 'finalized',
    status: SignatureStatus | undefined,
  ): Promise<void> {
    const accepted = followed.state.accepted?.signature;
    const isSeen = status !== undefined && status.error === undefined;
    const isFinalEnough = commitment === 'confirmed' || status?.commitment === 'finalized';
    const landing =
      accepted !== undefined && isSeen && isFinalEnough
        ? { signature: accepted, slot: status.slot }
        : await findLanding(chain, followed.launch.positionMint, commitment);
    if (landing !== undefined) return recordLanding(followed, commitment, landing);
    // A node may show an account before it tells of the transaction at the same commitment.
    if (commitment === 'finalized' && followed.state.status !== 'confirmed') {
      return land(followed, 'confirmed', status);
    }
  }

  async function end(followed: LaunchDraft, { sighting, finalizedPool }: Sighted): Promise<void> {
    const { launch, state, transactionId } = followed;
    const landing = await findLanding(chain, launch.positionMint, 'finalized');
    if (landing !== undefined) {
      const verdict = judgePool(launch, finalizedPool);
      return verdict.kind === 'foreign'
        ? recordFailure(followed, 'CHAIN_REJECTED', `It landed, but not as it was issued: ${verdict.reason}.`)
        : recordLanding(followed, 'finalized', landing);
    }
    if (state.accepted === undefined && state.landed === undefined) {
      return record(followed, DraftExpired({ transactionId }));
    }
    const error = sighting.status?.error;
    return error === undefined
      ? recordFailure(
          followed,
          'TRANSACTION_EXPIRED',
          'The transaction did not land in time and can no longer land.',
        )
      : fail(followed, error);
  }

  async function fail(followed: LaunchDraft, error: string): Promise<void> {
    const signature = followed.state.accepted?.signature;
    const landed = signature && (await chain.transaction(signature, 'finalized'));
    const message = `The chain refused the transaction: ${error}.`;
    await recordFailure(followed, 'CHAIN_REJECTED', message, landed ? landed.logs : []);
  }

  async function send({ transactionId, state }: LaunchDraft): Promise<void> {
    const now = clock.now().getTime();
    if (state.accepted === undefined || now - (lastSent.get(transactionId) ?? 0) < RESEND_PAUSE) return;
    lastSent.set(transactionId, now);
    await chain.send(Buffer.from(state.accepted.signedTransaction, 'base64'));
  }

  async function advance(followed: LaunchDraft, sighted: Sighted): Promise<void> {
    const { transactionId, state } = followed;
    const verdict = judgeLaunchDraft(state, sighted.sighting);
    if (verdict.kind !== 'gone') forkSightings.delete(transactionId);
    switch (verdict.kind) {
      case 'landed':
        return land(followed, verdict.commitment, sighted.sighting.status);
      case 'over':
        return end(followed, sighted);
      case 'failed':
        return fail(followed, verdict.error);
      case 'wait':
        return send(followed);
      case 'gone': {
        const sightings = (forkSightings.get(transactionId) ?? 0) + 1;
        forkSightings.set(transactionId, sightings);
        if (sightings < SIGHTINGS_OF_A_FORK) return;
        return record(followed, SubmissionDropped({ transactionId }));
      }
    }
  }

  async function look(drafts: readonly LaunchDraft[]): Promise<readonly Sighted[]> {
    const addresses = drafts.flatMap(({ subject }) => [subject.poolAddress, subject.positionAddress]);
    const accepted = drafts.flatMap(({ state }) => state.accepted?.signature ?? []);
    // The height comes first: what is absent in a later slot than that was not in any block up to it.
    const tip = await chain.tip('finalized');
    const [confirmed, finalized, statuses] = await Promise.all([
      chain.accounts(addresses, 'confirmed'),
      chain.accounts(addresses, 'finalized', { atLeastSlot: tip.slot }),
      chain.statuses(accepted),
    ]);
    const statusOf = new Map(accepted.map((signature, index) => [signature, statuses[index]]));
    return drafts.map(({ launch, state }, index) => {
      const accountsIn = (accounts: readonly (ChainAccount | undefined)[]) => ({
        pool: accounts[2 * index],
        position: accounts[2 * index + 1],
      });
      return {
        sighting: {
          confirmed: judgeLaunch(launch, accountsIn(confirmed)),
          finalized: judgeLaunch(launch, accountsIn(finalized)),
          finalizedHeight: tip.blockHeight,
          status: statusOf.get(state.accepted?.signature ?? ''),
        },
        finalizedPool: finalized[2 * index],
      };
    });
  }

  async function livingDrafts(): Promise<readonly LaunchDraft[]> {
    const documents = await readModel.find(transactions, 'work', 'watch', { limit: DRAFTS_A_ROUND });
    const followed = await Promise.all(
      documents.map(({ transactionId }) => followDraft(executor, 'launch-settler', transactionId)),
    );
    return followed.flatMap((one) => {
      const { issued, status } = one.state;
      const isLiving = status === 'open' || status === 'submitted' || status === 'confirmed';
      if (!isLiving || issued?.subject.kind !== 'launch') return [];
      return [{ ...one, subject: issued.subject, launch: issuedLaunchOf(issued.subject, issued.creator) }];
    });
  }

  function forgetOthers(present: ReadonlySet<string>): void {
    for (const memory of [lastSent, forkSightings]) {
      for (const transactionId of memory.keys())
        if (!present.has(transactionId)) memory.delete(transactionId);
    }
  }

  return {
    async settle() {
      const drafts = await livingDrafts();
      forgetOthers(new Set(drafts.map(({ transactionId }) => transactionId)));
      if (drafts.length === 0) return { waiting: 0 };
      const sighted = await look(drafts);
      const results = await Promise.allSettled(
        drafts.map((followed, index) =>
          inTrace(followed.cause.traceparent, async () => {
            const seen = sighted[index];
            if (seen !== undefined) await advance(followed, seen);
          }),
        ),
      );
      requireSomeSuccess(results, drafts, report);
      return { waiting: drafts.length };
    },
  };
}
