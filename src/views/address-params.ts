/** Validation of addresses in requests, and of wallets in paths. */
import { Type } from '@sinclair/typebox';
import { isWalletKey, parseAddress } from '../chain/wallet-key.ts';
import { invalidFieldRejection } from '../streams/rejections.ts';
import { Address } from '../streams/value-types.ts';

/** Wallet in a path; `requireAddress` rejects invalid addresses. */
export const WalletReference = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'Address of the owner, not of its token account.',
  examples: Address.examples,
});

/** Accepts any address, including off-curve ones (vaults), for receivers. Throws `INVALID_ADDRESS`. */
export function requireAddress(field: string, address: string): void {
  if (parseAddress(address) !== undefined) return;
  const rule = 'must be 32 bytes in base58';
  throw invalidFieldRejection(field, rule, `${field} is not a valid address.`, 'INVALID_ADDRESS');
}

/**
 * Accepts addresses that can sign: on the curve, and not of small order, for which anyone could forge signatures. Throws
 * `INVALID_ADDRESS`.
 */
export function requireWalletAddress(field: string, address: string): void {
  const bytes = parseAddress(address);
  if (bytes !== undefined && isWalletKey(bytes)) return;
  const rule = 'must be an Ed25519 public key in base58';
  throw invalidFieldRejection(
    field,
    rule,
    `${field} is not the address of a wallet that can sign.`,
    'INVALID_ADDRESS',
  );
}
