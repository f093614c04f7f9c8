/**
 * Payment instructions, encoded by hand. This is three times as fast as spl-token (`npm run bench -- wire`). Besides, spl-token
 * does not support payments in lamports, nor batches, without which 61 payments do not fit into a transaction.
 */
import {
  type AccountMeta,
  type Instruction,
  joined,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from 'levy-solana-wire';
import { readonly, signing, writable } from './account-meta.ts';

const TRANSFER = 3;
const TRANSFER_FEE_EXTENSION = 26;
const TRANSFER_CHECKED_WITH_FEE = 1;
const UNWRAP_LAMPORTS = 45;
const SOME = 1;
const BATCH = 255;
const MAX_IN_A_BYTE = 255;

/** Transfers wrapped SOL to another wrapped-SOL account. Signed by the owner or, within its allowance, the delegate. */
export function transferSol(transfer: {
  readonly from: string;
  readonly to: string;
  readonly authority: string;
  readonly lamports: bigint;
}): Instruction {
  const data = Buffer.allocUnsafe(9);
  data[0] = TRANSFER;
  data.writeBigUInt64LE(transfer.lamports, 1);
  return {
    program: TOKEN_PROGRAM,
    accounts: [writable(transfer.from), writable(transfer.to), signing(transfer.authority)],
    data,
  };
}

/** Pays wrapped SOL as lamports to any account. Signed by the owner or, within its allowance, the delegate. */
export function unwrapLamports(payment: {
  readonly from: string;
  readonly to: string;
  readonly authority: string;
  readonly lamports: bigint;
}): Instruction {
  const data = Buffer.allocUnsafe(10);
  data[0] = UNWRAP_LAMPORTS;
  data[1] = SOME;
  data.writeBigUInt64LE(payment.lamports, 2);
  return {
    program: TOKEN_PROGRAM,
    accounts: [writable(payment.from), writable(payment.to), signing(payment.authority)],
    data,
  };
}

/** Fails unless the chain withholds exactly this fee. Signed by the owner or, within its allowance, the delegate. */
export function taxedTransferInstruction(transfer: {
  readonly mint: string;
  readonly decimals: number;
  readonly from: string;
  readonly to: string;
  readonly authority: string;
  /** Base units that leave the account, including the fee. */
  readonly amount: bigint;
  readonly fee: bigint;
}): Instruction {
  const { mint, decimals, from, to, authority, amount, fee } = transfer;
  const data = Buffer.allocUnsafe(19);
  data[0] = TRANSFER_FEE_EXTENSION;
  data[1] = TRANSFER_CHECKED_WITH_FEE;
  data.writeBigUInt64LE(amount, 2);
  data.writeUInt8(decimals, 10);
  data.writeBigUInt64LE(fee, 11);
  return {
    program: TOKEN_2022_PROGRAM,
    accounts: [writable(from), readonly(mint), writable(to), signing(authority)],
    data,
  };
}

/** Combines instructions of the token program into one, at a lower cost; all succeed or all fail. */
export function batchOf(instructions: readonly Instruction[]): Instruction {
  const parts: Uint8Array[] = [Uint8Array.of(BATCH)];
  const named: AccountMeta[] = [];
  for (const { program, accounts, data } of instructions) {
    if (program !== TOKEN_PROGRAM) throw new TypeError(`a batch cannot contain an instruction of ${program}`);
    if (accounts.length > MAX_IN_A_BYTE || data.length > MAX_IN_A_BYTE)
      throw new RangeError('an instruction in a batch has at most 255 accounts and 255 bytes');
    parts.push(Uint8Array.of(accounts.length, data.length), data);
    named.push(...accounts);
  }
  return { program: TOKEN_PROGRAM, accounts: named, data: joined(parts) };
}
