/** What is refused as an address that a caller sends, and how a path names a wallet. */
import { Type } from '@sinclair/typebox';
import { isWalletKey, parseAddress } from '../chain/wallet-key.ts';
import { rejection } from '../streams/rejections.ts';
import { Address } from '../streams/values.ts';

/** The wallet whose payments or tokens are asked for; `requireAddress` refuses the ones that are none. */
export const WalletReference = Type.String({
  minLength: 1,
  maxLength: 100,
  description: "The owner's address: not that of its token account.",
  examples: Address.examples,
});

/** An address that only receives, so off-curve addresses (vaults) are fine. Throws `INVALID_ADDRESS`. */
export function requireAddress(field: string, address: string): void {
  if (parseAddress(address) !== undefined) return;
  throw rejection('INVALID_ADDRESS', `${field} is not a valid address.`, {
    details: [{ path: [field], message: 'must be 32 bytes in base58' }],
  });
}

/** An address that signs: on the curve (no vault), and of a large order (else anybody could). Throws `INVALID_ADDRESS`. */
export function requireWalletAddress(field: string, address: string): void {
  const bytes = parseAddress(address);
  if (bytes !== undefined && isWalletKey(bytes)) return;
  throw rejection('INVALID_ADDRESS', `${field} is not the address of a wallet that can sign.`, {
    details: [{ path: [field], message: 'must be an Ed25519 public key in base58' }],
  });
}
