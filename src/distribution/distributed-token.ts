/** What a run needs to know of its token: keys, accounts, and what never changes. */
import { associatedTokenAddress } from 'levy-solana-wire';
import type { KeyPair, Keyring } from '../chain/keys.ts';

export interface DistributedToken {
  readonly tokenId: string;
  readonly mint: string;
  readonly decimals: number;
  /** Owns the till, the pots and the account that collects the tax. */
  readonly wallet: KeyPair;
  /** The wallet's own account of the token. */
  readonly tokens: string;
  /** Pays fees, lends rents, pays out of pots. */
  readonly distributor: KeyPair;
}

export function distributedToken(
  keyring: Pick<Keyring, 'distributor' | 'distributionWallet'>,
  facts: {
    readonly tokenId: string;
    readonly mint: string;
    readonly decimals: number;
    readonly walletId: string;
  },
): DistributedToken {
  const { tokenId, mint, decimals, walletId } = facts;
  const wallet = keyring.distributionWallet(walletId);
  return {
    tokenId,
    mint,
    decimals,
    wallet,
    tokens: associatedTokenAddress(wallet.address, mint),
    distributor: keyring.distributor,
  };
}
