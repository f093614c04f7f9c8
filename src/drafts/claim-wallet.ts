/**
 * Enforces one token per wallet: a draft claims its distribution wallet on submission, after its simulation and before its
 * acceptance. Only the claim of a draft that ended without a token can be taken over, since such a draft can never be accepted.
 * So at most one draft of a wallet becomes a token, and no interruption blocks the wallet permanently. Every step is repeatable.
 */
import type { Cause, Executor } from '../kernel/runtime/execute.ts';
import {
  DistributionWalletClaimed,
  type DistributionWalletEvent,
  type DistributionWalletState,
  distributionWallet,
} from '../streams/distribution-wallet.ts';
import { draft } from '../streams/draft.ts';
import { rejection } from '../streams/rejections.ts';
import { draftSupersededRejection, isEnded } from './require-draft.ts';

interface ClaimRequest {
  readonly walletId: string;
  readonly transactionId: string;
  readonly creator: string;
}

/** Maximum number of attempts; each retry means that another draft of the wallet claimed it and ended in between. */
const TRIES = 10;

/**
 * Rejects with `WALLET_ALREADY_USED` if a draft of another creator holds the wallet, and with `TRANSACTION_SUPERSEDED` if
 * another draft of this creator does.
 */
export async function claimWallet(executor: Executor, request: ClaimRequest, cause: Cause): Promise<void> {
  const { walletId, transactionId, creator } = request;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const former = await executor.check(distributionWallet, walletId, async (state) => {
      const { claim } = requireWallet(state);
      if (claim === undefined || claim.transactionId === transactionId) return claim?.transactionId;
      const { state: holder } = await executor.load(draft, claim.transactionId);
      if (isEnded(holder)) return claim.transactionId;
      throw claim.creator === creator ? draftSupersededRejection() : walletUsedRejection();
    });
    // The cached claim may be outdated. That is safe: a later claim requires that this draft has ended, so its acceptance
    // fails.
    if (former === transactionId) return;
    const { state } = await executor.execute(distributionWallet, walletId, cause, (current) =>
      decideClaim(current, request, former),
    );
    if (state?.claim?.transactionId === transactionId) return;
  }
  throw rejection('CONCURRENT_CHANGE', 'Other drafts of this wallet are being submitted; try again.', {
    retryAfterSeconds: 1,
  });
}

/** `former`: draft whose claim this draft replaces. Returns nothing if another draft has claimed the wallet first. Pure. */
function decideClaim(
  state: DistributionWalletState,
  request: ClaimRequest,
  former: string | undefined,
): readonly DistributionWalletEvent[] {
  return requireWallet(state).claim?.transactionId === former
    ? [DistributionWalletClaimed({ ...request })]
    : [];
}

/**
 * Address of the wallet, for a draft that is about to be issued. Claims nothing. Rejects with `WALLET_NOT_FOUND`, or with
 * `WALLET_ALREADY_USED` if a submitted draft holds the wallet, or a draft of another creator that may still be submitted.
 */
export function usableWallet(executor: Executor, { walletId, creator }: ClaimRequest): Promise<string> {
  return executor.check(distributionWallet, walletId, async (state) => {
    const { address, claim } = requireWallet(state);
    if (claim === undefined) return address;
    const { state: holder } = await executor.load(draft, claim.transactionId);
    // An open draft of the same creator that holds the claim is superseded when the new draft is recorded.
    const isFree = isEnded(holder) || (holder.status === 'open' && claim.creator === creator);
    if (!isFree) throw walletUsedRejection();
    return address;
  });
}

function requireWallet(state: DistributionWalletState): NonNullable<DistributionWalletState> {
  if (state === undefined) throw rejection('WALLET_NOT_FOUND', 'Distribution wallet not found.');
  return state;
}

function walletUsedRejection() {
  return rejection(
    'WALLET_ALREADY_USED',
    'This distribution wallet belongs to another token; generate a new one.',
  );
}
