/** Who holds the claim on a distribution wallet. Pure. */
import {
  DistributionWalletClaimed,
  type DistributionWalletEvent,
  type DistributionWalletState,
} from '../streams/distribution-wallet.ts';
import { rejection } from '../streams/rejections.ts';

export interface ClaimRequest {
  readonly walletId: string;
  readonly transactionId: string;
  readonly creator: string;
}

/** `isAsRead`: the wallet was not claimed since its holders were read. `earlier`: those that are still open. */
export function decideWalletClaim(
  state: DistributionWalletState,
  request: ClaimRequest,
  { isAsRead, earlier }: { readonly isAsRead: boolean; readonly earlier: readonly string[] },
): readonly DistributionWalletEvent[] {
  if (isAsRead) return [DistributionWalletClaimed({ ...request, earlier: [...earlier] })];
  // The same call, run by another process, claims as well. The claim is made anew: it might be fenced off.
  const own = state?.claim?.transactionId === request.transactionId ? state.claim : undefined;
  if (own !== undefined) return [DistributionWalletClaimed({ ...request, earlier: [...own.earlier] })];
  throw rejection('CONCURRENT_CHANGE', 'Another draft is being made for this wallet; try again.', {
    retryAfterSeconds: 1,
  });
}

/** Takes the claim back from a later draft that was never recorded. */
export function decideReclaim(
  state: DistributionWalletState,
  request: ClaimRequest,
  { isAsRead }: { readonly isAsRead: boolean },
): readonly DistributionWalletEvent[] {
  if (!isAsRead || state?.claim === undefined) return [];
  const earlier = state.claim.earlier.filter((id) => id !== request.transactionId);
  return [DistributionWalletClaimed({ ...request, earlier })];
}
