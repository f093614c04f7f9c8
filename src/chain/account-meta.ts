/** Access of an instruction to an account. */
import type { AccountMeta } from 'levy-solana-wire';

export function writable(address: string): AccountMeta {
  return { address, signer: false, writable: true };
}

export function readonly(address: string): AccountMeta {
  return { address, signer: false, writable: false };
}

/** Signer that is not written. */
export function signing(address: string): AccountMeta {
  return { address, signer: true, writable: false };
}
