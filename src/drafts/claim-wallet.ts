/**
 * One token per wallet: a draft claims its distribution wallet when it is submitted, after its simulation and before it is
 * accepted. A claim is taken over only from a draft that ended without a token, since such a draft can never be accepted. So at
 * most one draft of a wallet becomes a token, and no interruption blocks the wallet permanently. Every step may be repeated.
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
import { isEnded, superseded } from './own-draft.ts';

interface ClaimRequest {
  readonly walletId: string;
  readonly transactionId: string;
  readonly creator: string;
}

/** Each further try means that another draft of the wallet was claimed for and ended in between. */
const TRIES = 10;

/** Rejects with `WALLET_ALREADY_USED` where another creator's draft holds the wallet, and with `TRANSACTION_SUPERSEDED` where another one of this creator's does. */
export async function claimWallet(executor: Executor, request: ClaimRequest, cause: Cause): Promise<void> {
  const { walletId, transactionId, creator } = request;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const former = await executor.check(distributionWallet, walletId, async (state) => {
      const { claim } = requireWallet(state);
      if (claim === undefined || claim.transactionId === transactionId) return claim?.transactionId;
      const { state: holder } = await executor.load(draft, claim.transactionId);
      if (isEnded(holder)) return claim.transactionId;
      throw claim.creator === creator ? superseded() : walletAlreadyUsed();
    });
    // A later claim would have ended this draft, so that its acceptance fails, also where the known claim is an old one.
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

/** `former`: the draft whose claim is taken over. Nothing where another claim came first. Pure. */
export function decideClaim(
  state: DistributionWalletState,
  request: ClaimRequest,
  former: string | undefined,
): readonly DistributionWalletEvent[] {
  return requireWallet(state).claim?.transactionId === former
    ? [DistributionWalletClaimed({ ...request })]
    : [];
}

/**
 * The wallet's address, for a draft that is about to be issued. Rejects with `WALLET_NOT_FOUND`, or with `WALLET_ALREADY_USED` where a submitted
 * draft holds it, or another creator's that may still be submitted. Claims nothing.
 */
export function usableWallet(executor: Executor, { walletId, creator }: ClaimRequest): Promise<string> {
  return executor.check(distributionWallet, walletId, async (state) => {
    const { address, claim } = requireWallet(state);
    if (claim === undefined) return address;
    const { state: holder } = await executor.load(draft, claim.transactionId);
    // A draft of the same creator that claimed and was not accepted is ended when the new one is recorded.
    const isFree = isEnded(holder) || (holder.status === 'open' && claim.creator === creator);
    if (!isFree) throw walletAlreadyUsed();
    return address;
  });
}

function requireWallet(state: DistributionWalletState): NonNullable<DistributionWalletState> {
  if (state === undefined)
    throw rejection('WALLET_NOT_FOUND', 'There is no distribution wallet with this walletId.');
  return state;
}

function walletAlreadyUsed() {
  return rejection(
    'WALLET_ALREADY_USED',
    'This distribution wallet belongs to another token; generate a new one.',
  );
}
