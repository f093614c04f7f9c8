/** Identifying signature of a transaction, and verification of its signatures. */
import { base58, verify, type WireTransaction } from 'levy-solana-wire';

/** First signature, the payer's, in base58. */
export function signatureText({ signatures }: WireTransaction): string {
  return base58(signatures[0] ?? new Uint8Array());
}

export function signaturesHold({ message, signatures }: WireTransaction): boolean {
  return signatures.every((signature, index) => {
    const key = message.accountKeys[index];
    return key !== undefined && verify(key, message.bytes, signature);
  });
}
