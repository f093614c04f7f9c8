/** Opens `mintKeypair.secretKey` as a client does who has nothing but the answer and the 64 bytes of its wallet. */
import { ed25519 } from '@noble/curves/ed25519.js';
import { compactDecrypt } from 'jose';

/** The 64 bytes of the mint's key. Rejects for any wallet but the one that the secret was sealed to. */
export async function openMintSecret(
  sealed: readonly number[],
  walletSecretKey: Uint8Array,
): Promise<Uint8Array> {
  const base64url = (part: Uint8Array) => Buffer.from(part).toString('base64url');
  const jwk = {
    kty: 'OKP',
    crv: 'X25519',
    d: base64url(ed25519.utils.toMontgomerySecret(walletSecretKey.slice(0, 32))),
    x: base64url(ed25519.utils.toMontgomery(walletSecretKey.slice(32))),
  };
  const { plaintext } = await compactDecrypt(Buffer.from(sealed).toString('ascii'), jwk);
  return plaintext;
}
