/**
 * Follows launch drafts by their position's account. Clients mostly send launches themselves, so each one is followed
 * from its issue on; a launch submitted through the service is also sent again while it can land.
 */

import type { SearchOutcome } from '../../chain/history-search.ts';
import { type IssuedLaunch, judgeLaunch, judgePool } from '../../chain/venue/judge-launch.ts';
import type { Chain, ChainAccount, ChainTip } from '../../kernel/ports/chain.ts';
import { DraftExpired } from '../../streams/draft-events.ts';
import { acceptedOf, isLiving, isPending, isUnderWay, type LivingDraft } from '../../streams/draft-state.ts';
import type { Launch } from '../../streams/purposes/token-launch.ts';
import { issuedLaunchOf } from '../../streams/recorded-launch.ts';
import type { FollowedDraft } from '../settling/followed-draft.ts';
import type { FollowedLifetime } from '../settling/settler.ts';
import type { Conclusion, Step } from '../settling/step.ts';
import { failedStep, landedStep, refusalOf, refusedStep } from '../settling/steps.ts';
import { judgeLaunchDraft, type LaunchObservation } from './judge-launch-draft.ts';
import { launchSearch } from './launch-search.ts';

export interface LaunchDraft extends Pick<FollowedDraft, 'transactionId'> {
  /** Cancelled, its creator may have signed it before. */
  readonly state: LivingDraft;
  readonly launch: IssuedLaunch;
}

export interface ObservedLaunch {
  readonly observation: LaunchObservation;
  readonly finalizedPool: ChainAccount | undefined;
  /** Final, and not later than the accounts. */
  readonly tip: ChainTip;
}

export function launchLifetime(
  chain: Chain,
): FollowedLifetime<FollowedDraft & LaunchDraft & { readonly subject: Launch }, ObservedLaunch> {
  return {
    part: 'launch-settler',
    work: 'watch',

    select(followed) {
      const { state } = followed;
      if (!isLiving(state) || state.issued.subject.kind !== 'launch') return undefined;
      const { subject, creator } = state.issued;
      return { ...followed, state, subject, launch: issuedLaunchOf(subject, creator) };
    },

    async observe(drafts) {
      const addresses = drafts.flatMap(({ subject }) => [subject.poolAddress, subject.positionAddress]);
      const accepted = drafts.flatMap(({ state }) => acceptedOf(state)?.signature ?? []);
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
            status: statusOf.get(acceptedOf(state)?.signature ?? ''),
          },
          finalizedPool: finalized[2 * index],
          tip,
        };
      });
    },

    nextStep: nextLaunchStep,
  };
}

/** Pure. */
export function nextLaunchStep(followed: LaunchDraft, observed: ObservedLaunch): Step {
  const { state, transactionId } = followed;
  const verdict = judgeLaunchDraft(state, observed.observation);
  switch (verdict.kind) {
    case 'landed':
      return landingStep(followed, observed, verdict.commitment);
    case 'over':
      return endStep(followed, observed);
    case 'failed':
      return refusedStep(transactionId, verdict.signature, verdict.error);
    case 'wait':
      return isPending(state) ? { kind: 'send', transaction: state.accepted.signedTransaction } : verdict;
    case 'gone':
      return verdict;
  }
}

/** Its accounts say that it has landed; only the transaction that made them is still to be found. */
function landingStep(
  { transactionId, launch, state }: LaunchDraft,
  { observation, tip }: ObservedLaunch,
  commitment: 'confirmed' | 'finalized',
): Step {
  const { status, [commitment]: shown } = observation;
  const isFinalEnough = commitment === 'confirmed' || status?.commitment === 'finalized';
  if (isPending(state) && status !== undefined && status.error === undefined && isFinalEnough)
    return landedStep(transactionId, commitment, { signature: state.accepted.signature, slot: status.slot });
  return {
    kind: 'search',
    search: launchSearch(state, {
      positionMint: launch.positionMint,
      commitment,
      tip,
      madeAt: shown.kind === 'landed' ? shown.pool.activationPoint : undefined,
    }),
    // A node may show an account before it knows the transaction at the same commitment.
    conclude: (outcome) =>
      outcome.kind === 'absent'
        ? { kind: 'wait' }
        : landedStep(transactionId, commitment, landingIn(outcome)),
  };
}

/** No block to come can hold it, and its position is not there. */
function endStep(followed: LaunchDraft, { observation, finalizedPool, tip }: ObservedLaunch): Step {
  const { transactionId, launch, state } = followed;
  // Nothing takes a pool away again: without one, it has not landed, whatever the history of its key holds.
  if (finalizedPool === undefined) return notLandedStep(followed, observation.status?.error, []);
  return {
    kind: 'search',
    search: launchSearch(state, { positionMint: launch.positionMint, commitment: 'finalized', tip }),
    conclude(outcome) {
      if (outcome.kind === 'absent') {
        const signature = acceptedOf(state)?.signature;
        const logs = (signature && outcome.others.get(signature)?.logs) || [];
        return notLandedStep(followed, observation.status?.error, logs);
      }
      const verdict = judgePool(launch, finalizedPool);
      return verdict.kind === 'foreign'
        ? failedStep(
            transactionId,
            'CHAIN_REJECTED',
            `It landed, but not as it was issued: ${verdict.reason}.`,
          )
        : landedStep(transactionId, 'finalized', landingIn(outcome));
    },
  };
}

function notLandedStep(
  { transactionId, state }: LaunchDraft,
  error: string | undefined,
  logs: readonly string[],
): Conclusion {
  if (!isUnderWay(state)) return { kind: 'record', event: DraftExpired({ transactionId }) };
  return error === undefined
    ? failedStep(
        transactionId,
        'TRANSACTION_EXPIRED',
        'The transaction did not land in time and can no longer land.',
      )
    : failedStep(transactionId, 'CHAIN_REJECTED', refusalOf(error), logs);
}

function landingIn({ signature, transaction: { slot } }: Extract<SearchOutcome, { kind: 'found' }>) {
  return { signature, slot };
}
