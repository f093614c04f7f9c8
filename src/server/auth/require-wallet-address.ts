/** Refuses addresses that no wallet can sign for (off the curve), or that anybody can (small order). */
import { isWalletKey, parseAddress } from '../../chain/wallet-key.ts';
import { rejection } from '../../streams/rejections.ts';

/** Throws `INVALID_ADDRESS`, which names the field. */
export function requireWalletAddress(address: string, field = 'walletAddress'): void {
  const bytes = parseAddress(address);
  if (bytes !== undefined && isWalletKey(bytes)) return;
  throw rejection('INVALID_ADDRESS', `${field} is not the address of a wallet that can sign.`, {
    details: [{ path: [field], message: 'must be an Ed25519 public key in base58' }],
  });
}
