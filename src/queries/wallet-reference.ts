/** How callers name a wallet whose payments or tokens they ask for. */
import { Type } from '@sinclair/typebox';
import { parseAddress } from '../chain/wallet-key.ts';
import { rejection } from '../streams/rejections.ts';
import { Address } from '../streams/values.ts';

export const WalletReference = Type.String({
  minLength: 1,
  maxLength: 100,
  description: "The owner's address: not that of its token account.",
  examples: Address.examples,
});

/** Throws `INVALID_ADDRESS`. */
export function requireWallet(wallet: string): void {
  if (parseAddress(wallet) !== undefined) return;
  throw rejection('INVALID_ADDRESS', 'wallet is not a valid address.', {
    details: [{ path: ['wallet'], message: 'must be 32 bytes in base58' }],
  });
}

/** Throws `INVALID_ADDRESS`. */
export function requireCreatorAddress(creator: string): void {
  if (parseAddress(creator) !== undefined) return;
  throw rejection('INVALID_ADDRESS', 'The creator is not a valid address.', {
    details: [{ path: ['creator'], message: 'must be 32 bytes in base58' }],
  });
}
