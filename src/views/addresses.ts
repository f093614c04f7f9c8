/** Validation of addresses that callers send, and of wallets in paths. */
import { Type } from '@sinclair/typebox';
import { isWalletKey, parseAddress } from '../chain/wallet-key.ts';
import { invalidField } from '../streams/rejections.ts';
import { Address } from '../streams/values.ts';

/** The wallet whose payments or tokens are asked for; `requireAddress` refuses the ones that are none. */
export const WalletReference = Type.String({
  minLength: 1,
  maxLength: 100,
  description: "The owner's address, not its token account's.",
  examples: Address.examples,
});

/** An address that only receives, so off-curve addresses (vaults) are fine. Throws `INVALID_ADDRESS`. */
export function requireAddress(field: string, address: string): void {
  if (parseAddress(address) !== undefined) return;
  const rule = 'must be 32 bytes in base58';
  throw invalidField(field, rule, `${field} is not a valid address.`, 'INVALID_ADDRESS');
}

/** An address that signs: on the curve (no vault), and of a large order (else anybody could). Throws `INVALID_ADDRESS`. */
export function requireWalletAddress(field: string, address: string): void {
  const bytes = parseAddress(address);
  if (bytes !== undefined && isWalletKey(bytes)) return;
  const rule = 'must be an Ed25519 public key in base58';
  throw invalidField(
    field,
    rule,
    `${field} is not the address of a wallet that can sign.`,
    'INVALID_ADDRESS',
  );
}
