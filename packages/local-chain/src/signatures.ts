/** The signature that identifies a transaction, and the check that its signers really signed it. */
import { base58, verify, type WireTransaction } from 'levy-solana-wire';

/** The first signature, its payer's, in base58. */
export function signatureText({ signatures }: WireTransaction): string {
  return base58(signatures[0] ?? new Uint8Array());
}

export function signaturesHold({ message, signatures }: WireTransaction): boolean {
  return signatures.every((signature, index) => {
    const key = message.accountKeys[index];
    return key !== undefined && verify(key, message.bytes, signature);
  });
}
