/** Refuses addresses that no wallet can sign for (off the curve), or that anybody can (small order). */
import { isWalletKey, parseAddress } from '../../chain/wallet-key.ts';
import { rejection } from '../../streams/rejections.ts';

export function requireWalletAddress(walletAddress: string): void {
  const bytes = parseAddress(walletAddress);
  if (bytes !== undefined && isWalletKey(bytes)) return;
  throw rejection('INVALID_ADDRESS', 'walletAddress is not the address of a wallet that can sign.', {
    details: [{ path: ['walletAddress'], message: 'must be an Ed25519 public key in base58' }],
  });
}
