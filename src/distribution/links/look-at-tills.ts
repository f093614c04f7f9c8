/** Reads every till that the log knows of, the marker, and the wallet's account of the token: all from one slot. */
import { addressBytes } from 'levy-solana-wire';
import type { Chain, ChainAccount } from '../../kernel/ports/chain.ts';
import type { DistributionState } from '../../streams/distribution.ts';
import type { DistributedToken } from '../distributed-token.ts';
import { markerOf } from '../once/till-chain.ts';
import { lamportsOfTill } from './judge-links.ts';

/** What one slot shows. */
export interface TillsShown {
  readonly slot: bigint;
  readonly accountOf: (address: string) => ChainAccount | undefined;
  readonly isTill: (address: string) => boolean;
  /** The first link of the token has been there. */
  readonly markerExists: boolean;
}

const ACCOUNTS_PER_READ = 100;

/** Rejects if there are more than one call can show. */
export async function lookAtTills(
  chain: Pick<Chain, 'accountsAt'>,
  { wallet, tokens }: Pick<DistributedToken, 'wallet' | 'tokens'>,
  { till, pending }: Pick<DistributionState, 'till' | 'pending'>,
  commitment: 'confirmed' | 'finalized',
  options: { readonly atLeastSlot: bigint; readonly elsewhere?: boolean },
): Promise<TillsShown> {
  const marker = markerOf(wallet.address);
  const known = till === undefined ? [] : [till.address];
  const addresses = [tokens, marker, ...known, ...pending.map((link) => link.till)];
  if (addresses.length > ACCOUNTS_PER_READ) throw new RangeError('too many tills for one read');
  const { slot, accounts } = await chain.accountsAt(addresses, commitment, options);
  const shown = new Map(addresses.map((address, index) => [address, accounts[index]]));
  const owner = addressBytes(wallet.address);
  const isTill = (address: string) => lamportsOfTill(shown.get(address), owner) !== undefined;
  return { slot, accountOf: (address) => shown.get(address), isTill, markerExists: isTill(marker) };
}
