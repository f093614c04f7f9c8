/** Keys, accounts and immutable facts of a token under distribution. */
import { associatedTokenAddress } from 'levy-solana-wire';
import type { Keyring } from '../chain/keys.ts';
import type { OpenedRun } from '../streams/distribution.ts';

export type DistributedToken = Readonly<ReturnType<typeof distributedToken>>;

export function distributedToken(
  keyring: Pick<Keyring, 'distributor' | 'distributionWallet'>,
  { tokenId, mint, decimals, walletId }: Pick<OpenedRun, 'tokenId' | 'mint' | 'decimals' | 'walletId'>,
) {
  const wallet = keyring.distributionWallet(walletId);
  return {
    tokenId,
    mint,
    decimals,
    /** Owner of the till, the pots and the account that collects the tax. */
    wallet,
    /** The wallet's own account of the token. */
    tokens: associatedTokenAddress(wallet.address, mint),
    /** Key that pays fees, lends rents and spends from pots. */
    distributor: keyring.distributor,
  };
}
