/** Result of a scan of holders, written by hand. */
import { addressBytes, addressOf, TOKEN_2022_PROGRAM } from 'levy-solana-wire';
import type { ScannedOwners } from '../../src/distribution/collecting/scanned-owners.ts';

export interface ScannedHolder {
  readonly owner: string;
  readonly balance: bigint;
  /** True unless stated: the owner has an account that equals the associated one. */
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

/** A taxed account of a token as a node lists it. An associated account has another extension before the withheld tax. */
export function listedAccount(
  mint: string,
  address: string,
  {
    owner,
    amount,
    withheld = 0n,
    isAssociated = true,
  }: {
    readonly owner: string;
    readonly amount: bigint;
    readonly withheld?: bigint;
    readonly isAssociated?: boolean;
  },
) {
  const data = Buffer.alloc(isAssociated ? 182 : 178);
  data.set(addressBytes(mint));
  data.set(addressBytes(owner), 32);
  data.writeBigUInt64LE(amount, 64);
  data[108] = 1;
  data[165] = 2;
  const feeAt = isAssociated ? 170 : 166;
  if (isAssociated) data.writeUInt16LE(7, 166);
  data.writeUInt16LE(2, feeAt);
  data.writeUInt16LE(8, feeAt + 2);
  data.writeBigUInt64LE(withheld, feeAt + 4);
  return { address, account: { owner: TOKEN_2022_PROGRAM, lamports: 1n, data } };
}
