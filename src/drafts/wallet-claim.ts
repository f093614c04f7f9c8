/**
 * One wallet, one token: moves a distribution wallet's claim to a new draft and fences off the draft that held it
 * before.
 */
import type { Clock } from '../runtime/clock.ts';
import type { Cause, Executor } from '../runtime/execute.ts';
import {
  DistributionWalletClaimed,
  distributionWallet,
  type WalletClaim,
} from '../streams/distribution-wallet.ts';
import { DraftAbandoned, type DraftState, DraftSuperseded, draft } from '../streams/draft.ts';
import { rejection } from '../streams/rejections.ts';

export interface ClaimRequest {
  readonly walletId: string;
  readonly transactionId: string;
  readonly creator: string;
}

export interface WalletClaims {
  /**
   * The wallet's address. Rejects with `WALLET_NOT_FOUND`, or with `WALLET_ALREADY_USED` if a claim now would. Changes
   * nothing.
   */
  check(request: ClaimRequest): Promise<string>;
  /**
   * Claims the wallet for the draft, again if the draft already holds it. Rejects as `check` does, and with
   * `CONCURRENT_CHANGE` when another claim is made at the same moment.
   */
  claim(request: ClaimRequest, cause: Cause): Promise<void>;
}

export function createWalletClaims(options: {
  readonly executor: Executor;
  readonly clock: Clock;
  /** Milliseconds after which another draft's claim lapses if that draft was never recorded. */
  readonly claimLapse: number;
}): WalletClaims {
  const { executor, clock, claimLapse } = options;

  async function load(walletId: string) {
    const { state, events, revision } = await executor.load(distributionWallet, walletId);
    if (state === undefined)
      throw rejection('WALLET_NOT_FOUND', 'There is no distribution wallet with this walletId.');
    return { ...state, revision, claimedAt: events.at(-1)?.metadata.occurredAt ?? '' };
  }

  async function requireFree(
    claim: WalletClaim,
    claimedAt: string,
    request: ClaimRequest,
  ): Promise<DraftState> {
    const { state } = await executor.load(draft, claim.transactionId);
    if (!mayMove(state, claim, claimedAt, request, clock.now().getTime() - claimLapse)) throw alreadyUsed();
    return state;
  }

  return {
    async check(request) {
      const { address, claim, claimedAt } = await load(request.walletId);
      if (claim !== undefined && claim.transactionId !== request.transactionId) {
        await requireFree(claim, claimedAt, request);
      }
      return address;
    },

    async claim(request, cause) {
      const { claim, claimedAt, revision } = await load(request.walletId);
      if (claim !== undefined && claim.transactionId !== request.transactionId) {
        await requireFree(claim, claimedAt, request);
        // First end the draft that holds the wallet, in its own stream, where its submission would have to be recorded;
        // only then move the claim. In the other order two drafts of one wallet could be submitted.
        const { transactionId } = claim;
        await executor.execute(draft, transactionId, cause, (state) => {
          if (!mayMove(state, claim, claimedAt, request, clock.now().getTime() - claimLapse))
            throw alreadyUsed();
          if (state.status === 'absent') return [DraftAbandoned({ transactionId })];
          return state.status === 'open'
            ? [DraftSuperseded({ transactionId, by: request.transactionId })]
            : [];
        });
      }
      await executor.execute(distributionWallet, request.walletId, cause, (state, loaded) => {
        // A draft that claims its wallet again is still being made: it was fenced off for nothing.
        const isOwn = state?.claim?.transactionId === request.transactionId;
        if (!isOwn && loaded.revision !== revision) {
          throw rejection('CONCURRENT_CHANGE', 'Another draft is being made for this wallet; try again.', {
            retryAfterSeconds: 1,
          });
        }
        return [DistributionWalletClaimed(request)];
      });
    },
  };
}

function mayMove(
  state: DraftState,
  claim: WalletClaim,
  claimedAt: string,
  request: ClaimRequest,
  lapsedBefore: number,
): boolean {
  const own = claim.creator === request.creator;
  switch (state.status) {
    case 'absent':
      return own || Date.parse(claimedAt) <= lapsedBefore;
    case 'open':
    case 'superseded':
    case 'expired':
    case 'failed':
      return own;
    case 'submitted':
    case 'confirmed':
    case 'finalized':
      return false;
  }
}

function alreadyUsed() {
  return rejection(
    'WALLET_ALREADY_USED',
    'This distribution wallet belongs to another token; generate a new one.',
  );
}
