/**
 * One wallet, one token, on the way to a draft: a draft claims its distribution wallet right before it is recorded. The
 * draft that held the wallet stays open until then, because a draft that is refused must not end another one. What
 * happens to the two afterwards is in `wallet-holder.ts`.
 */
import type { ExpectedRevision } from '../kernel/ports/event-store.ts';
import type { Clock } from '../kernel/runtime/clock.ts';
import type { Cause, Executor } from '../kernel/runtime/execute.ts';
import { type DistributionWalletState, distributionWallet } from '../streams/distribution-wallet.ts';
import { draft } from '../streams/draft.ts';
import { type DraftState, issuedOf } from '../streams/draft-state.ts';
import { rejection } from '../streams/rejections.ts';
import { decideAbandonment } from './decide-ending.ts';
import { type ClaimRequest, decideWalletClaim } from './decide-wallet-claim.ts';

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
  /** Milliseconds after which another creator's claim lapses if its draft was never recorded. */
  readonly claimLapse: number;
}): WalletClaims {
  const { executor, clock, claimLapse } = options;

  /** Nobody is refused by an old state of the wallet. */
  function withWallet<Result>(walletId: string, work: (wallet: Wallet) => Promise<Result>): Promise<Result> {
    return executor.check(distributionWallet, walletId, (state, { events, revision }) => {
      if (state === undefined)
        throw rejection('WALLET_NOT_FOUND', 'There is no distribution wallet with this walletId.');
      return work({ ...state, revision, claimedAt: events.at(-1)?.metadata.occurredAt ?? '' });
    });
  }

  /** The other drafts that may hold the wallet, none of which keeps it from this one. Throws if one does. */
  async function rivalsOf(
    { claim, claimedAt }: Pick<Wallet, 'claim' | 'claimedAt'>,
    request: ClaimRequest,
  ): Promise<readonly Rival[]> {
    if (claim === undefined) return [];
    const holders = [claim.transactionId, ...claim.earlier].filter((id) => id !== request.transactionId);
    const lapsed = Date.parse(claimedAt) <= clock.now().getTime() - claimLapse;
    const rivals = await Promise.all(
      holders.map(async (transactionId) => {
        const { state } = await executor.load(draft, transactionId);
        return { transactionId, state, mayLapse: lapsed || claim.creator === request.creator };
      }),
    );
    for (const rival of rivals) requireNotKept(rival, request);
    return rivals;
  }

  return {
    check: (request) =>
      withWallet(request.walletId, async (wallet) => {
        await rivalsOf(wallet, request);
        return wallet.address;
      }),

    claim: (request, cause) =>
      withWallet(request.walletId, async (loaded) => {
        const rivals = await rivalsOf(loaded, request);
        const earlier: string[] = [];
        for (const rival of rivals) {
          const { transactionId } = rival;
          // A draft that is not recorded yet must not be recorded after this claim, which would not know of it.
          const { state } = await executor.execute(draft, transactionId, cause, (now) =>
            decideAbandonment(now, { transactionId }),
          );
          requireNotKept({ ...rival, state }, request);
          if (state.status === 'open') earlier.push(transactionId);
        }
        await executor.execute(distributionWallet, request.walletId, cause, (state, { revision }) =>
          decideWalletClaim(state, request, { isAsRead: revision === loaded.revision, earlier }),
        );
      }),
  };
}

type Wallet = NonNullable<DistributionWalletState> & {
  readonly revision: ExpectedRevision;
  /** ISO 8601. */
  readonly claimedAt: string;
};

interface Rival {
  readonly transactionId: string;
  readonly state: DraftState;
  /** Whether its claim counts for nothing as long as it is not recorded. */
  readonly mayLapse: boolean;
}

/** A wallet stays with the creator of the first draft that was recorded for it, and with a draft that was submitted. */
function requireNotKept({ state, mayLapse }: Rival, { creator }: ClaimRequest): void {
  const isOwn = issuedOf(state)?.creator === creator;
  const isFree: { readonly [Status in DraftState['status']]: boolean } = {
    absent: mayLapse,
    unreadable: false,
    open: isOwn,
    superseded: isOwn,
    expired: isOwn,
    cancelled: isOwn,
    failed: isOwn,
    submitted: false,
    confirmed: false,
    finalized: false,
  };
  if (!isFree[state.status]) throw walletAlreadyUsed();
}

export function walletAlreadyUsed() {
  return rejection(
    'WALLET_ALREADY_USED',
    'This distribution wallet belongs to another token; generate a new one.',
  );
}
