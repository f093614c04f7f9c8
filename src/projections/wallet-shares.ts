/**
 * Projection with one document per wallet and token: the amounts paid and owed by the token's distribution. Derived from the
 * ledger of the token's last closed run, whose amounts are cumulative. A wallet that was ever paid or is owed is in every later
 * ledger.
 */
import type { RewardAsset } from '../streams/distribution.ts';
import { defineFileProjection } from './levy-projection.ts';

/** Amounts in one capacity; a creator may be developer and holder. */
type WalletSharePart = {
  readonly kind: string;
  readonly asset: RewardAsset;
  /** Sum over all runs. */
  readonly paid: string;
  readonly owed: string;
  /** Reason for the amount paid by the run. */
  readonly reason: string;
};

export type WalletShareDocument = {
  readonly wallet: string;
  readonly tokenId: string;
  /** Run of the ledger. */
  readonly runId: string;
  readonly closedAt: string;
  readonly parts: readonly WalletSharePart[];
};

export const walletShares = defineFileProjection({
  name: 'wallet_shares',
  version: 1,
  indexes: { wallet: ({ wallet }: WalletShareDocument) => [wallet] },
  of: 'RunClosed',
  subjectOf: ({ data }) => data.tokenId,
});

/** Starts with the token, so that the documents written by a run are adjacent. */
export function walletShareKey({ tokenId, wallet }: Pick<WalletShareDocument, 'tokenId' | 'wallet'>): string {
  return `${tokenId}/${wallet}`;
}
