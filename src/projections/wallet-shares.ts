/**
 * One document per wallet and token: what the token's distribution has paid the wallet and owes it. It comes from the ledger of the
 * token's last closed run, whose amounts are cumulative. Whoever was ever paid or is owed stands in every later ledger.
 */
import type { RewardAsset } from '../streams/distribution.ts';
import { defineFiledProjection } from './define-projection.ts';

/** In one capacity: a creator may be developer and holder. */
type WalletSharePart = {
  readonly kind: string;
  readonly asset: RewardAsset;
  /** By all runs together. */
  readonly paid: string;
  readonly owed: string;
  /** Why the run paid it or not. */
  readonly reason: string;
};

export type WalletShareDocument = {
  readonly wallet: string;
  readonly tokenId: string;
  /** The run of whose ledger it is. */
  readonly runId: string;
  readonly closedAt: string;
  readonly parts: readonly WalletSharePart[];
};

export const walletShares = defineFiledProjection<WalletShareDocument>({
  name: 'wallet_shares',
  version: 1,
  indexes: { wallet: ({ wallet }) => [wallet] },
  newest: { RunClosed: ({ data }) => data.tokenId },
});

/** By token first: a run writes the documents of one token, which are then neighbours. */
export function walletShareKey({ tokenId, wallet }: Pick<WalletShareDocument, 'tokenId' | 'wallet'>): string {
  return `${tokenId}/${wallet}`;
}
