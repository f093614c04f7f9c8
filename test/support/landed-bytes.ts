/** Messages and transactions as a chain shows them, for tests that only compare bytes. */
import { compileLegacyMessage, SYSTEM_PROGRAM } from 'levy-solana-wire';
import { addresses } from './domain-examples.ts';

/** Signed by so many, with signatures that nobody verifies. */
export function wireOf(message: Uint8Array, signatures = 1): Buffer {
  return Buffer.concat([Buffer.of(signatures), Buffer.alloc(64 * signatures, 9), message]);
}

/** A message that names the address, as a signer or not. */
export function messageNaming(address: string, { payer, signer }: { payer: string; signer: boolean }) {
  const account = { address, signer, writable: !signer };
  return compileLegacyMessage({
    payer,
    recentBlockhash: addresses.mint,
    instructions: [{ program: SYSTEM_PROGRAM, accounts: [account], data: new Uint8Array() }],
  }).bytes;
}
