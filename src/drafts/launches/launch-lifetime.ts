/**
 * Follows launch drafts by their position's account. Clients mostly send launches themselves, so each one is followed
 * from its issue on; a launch submitted through the service is also sent again while it can land.
 */

import { type IssuedLaunch, judgeLaunch, judgePool } from '../../chain/venue/judge-launch.ts';
import type { Chain, ChainAccount, SignatureStatus } from '../../ports/chain.ts';
import { DraftExpired, type DraftStatus } from '../../streams/draft.ts';
import type { Launch } from '../../streams/purposes/token-launch.ts';
import { issuedLaunchOf } from '../../streams/recorded-launch.ts';
import type { FollowedDraft } from '../settling/followed-draft.ts';
import type { FollowedLifetime, Step } from '../settling/settler.ts';
import { failedStep, landedStep } from '../settling/steps.ts';
import { findLanding } from './find-landing.ts';
import { judgeLaunchDraft, type LaunchObservation } from './judge-launch-draft.ts';

/** A cancelled one too: its creator may have signed it. */
const LIVING: readonly DraftStatus[] = ['open', 'cancelled', 'submitted', 'confirmed'];

interface LaunchDraft extends FollowedDraft {
  readonly subject: Launch;
  readonly launch: IssuedLaunch;
}

interface Observed {
  readonly observation: LaunchObservation;
  readonly finalizedPool: ChainAccount | undefined;
}

export function launchLifetime(chain: Chain): FollowedLifetime<LaunchDraft, Observed> {
  async function land(
    followed: LaunchDraft,
    commitment: 'confirmed' | 'finalized',
    status: SignatureStatus | undefined,
  ): Promise<Step> {
    const { transactionId, launch, state } = followed;
    const accepted = state.accepted?.signature;
    const isSeen = status !== undefined && status.error === undefined;
    const isFinalEnough = commitment === 'confirmed' || status?.commitment === 'finalized';
    const landing =
      accepted !== undefined && isSeen && isFinalEnough
        ? { signature: accepted, slot: status.slot }
        : await findLanding(chain, launch.positionMint, commitment);
    if (landing !== undefined) return landedStep(transactionId, commitment, landing);
    // A node may show an account before it knows the transaction at the same commitment.
    return commitment === 'finalized' && state.status !== 'confirmed'
      ? land(followed, 'confirmed', status)
      : { kind: 'wait' };
  }

  async function end(followed: LaunchDraft, { observation, finalizedPool }: Observed): Promise<Step> {
    const { launch, state, transactionId } = followed;
    const landing = await findLanding(chain, launch.positionMint, 'finalized');
    if (landing !== undefined) {
      const verdict = judgePool(launch, finalizedPool);
      return verdict.kind === 'foreign'
        ? failedStep(
            transactionId,
            'CHAIN_REJECTED',
            `It landed, but not as it was issued: ${verdict.reason}.`,
          )
        : landedStep(transactionId, 'finalized', landing);
    }
    if (state.accepted === undefined && state.landed === undefined) {
      return { kind: 'record', event: DraftExpired({ transactionId }) };
    }
    const error = observation.status?.error;
    return error === undefined
      ? failedStep(
          transactionId,
          'TRANSACTION_EXPIRED',
          'The transaction did not land in time and can no longer land.',
        )
      : fail(followed, error);
  }

  async function fail({ transactionId, state }: LaunchDraft, error: string): Promise<Step> {
    const signature = state.accepted?.signature;
    const landed = signature && (await chain.transaction(signature, 'finalized'));
    const message = `The chain refused the transaction: ${error}.`;
    return failedStep(transactionId, 'CHAIN_REJECTED', message, landed ? landed.logs : []);
  }

  return {
    part: 'launch-settler',
    work: 'watch',

    select(followed) {
      const { issued, status } = followed.state;
      if (!LIVING.includes(status) || issued?.subject.kind !== 'launch') return undefined;
      return { ...followed, subject: issued.subject, launch: issuedLaunchOf(issued.subject, issued.creator) };
    },

    async observe(drafts) {
      const addresses = drafts.flatMap(({ subject }) => [subject.poolAddress, subject.positionAddress]);
      const accepted = drafts.flatMap(({ state }) => state.accepted?.signature ?? []);
      // Read the height first: an account that is absent in a later slot was not created in any block up to that
      // height.
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
          observation: {
            confirmed: judgeLaunch(launch, accountsIn(confirmed)),
            finalized: judgeLaunch(launch, accountsIn(finalized)),
            finalizedHeight: tip.blockHeight,
            status: statusOf.get(state.accepted?.signature ?? ''),
          },
          finalizedPool: finalized[2 * index],
        };
      });
    },

    async next(followed, observed) {
      const { state } = followed;
      const verdict = judgeLaunchDraft(state, observed.observation);
      switch (verdict.kind) {
        case 'landed':
          return land(followed, verdict.commitment, observed.observation.status);
        case 'over':
          return end(followed, observed);
        case 'failed':
          return fail(followed, verdict.error);
        case 'wait':
          return state.accepted === undefined
            ? verdict
            : { kind: 'send', transaction: state.accepted.signedTransaction };
        case 'gone':
          return verdict;
      }
    },
  };
}
