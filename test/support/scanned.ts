/** What a scan of holders found, given by hand. */
import { addressBytes, addressOf } from 'levy-solana-wire';
import type { ScannedOwners } from '../../src/distribution/collecting/scanned-owners.ts';

export interface ScannedHolder {
  readonly owner: string;
  readonly balance: bigint;
  /** Whether the owner has an account like the associated one; it has, unless it is said. */
  readonly hasAssociated?: boolean;
}

export function scannedOf(given: readonly ScannedHolder[]): ScannedOwners {
  const sorted = given
    .map((holder) => ({ ...holder, owner: addressBytes(holder.owner) }))
    .sort((one, other) => Buffer.compare(one.owner, other.owner));
  return {
    count: sorted.length,
    ownerAt: (index) => sorted[index]?.owner ?? new Uint8Array(),
    balanceAt: (index) => sorted[index]?.balance ?? 0n,
    hasAssociatedAt: (index) => sorted[index]?.hasAssociated ?? true,
  };
}

/** An address for each number, in the order of the numbers. It is nobody's key. */
export function numberedOwner(number: number): string {
  const bytes = Buffer.alloc(32, 1);
  bytes.writeUInt32BE(number);
  return addressOf(bytes);
}
