/** The instructions of the token program for accounts of wrapped SOL: made, spent, counted, and closed. */
import {
  type AccountMeta,
  addressBytes,
  type Instruction,
  joined,
  NATIVE_MINT,
  TOKEN_PROGRAM,
  unsigned,
} from 'levy-solana-wire';
import { readonly, signing, writable } from './account-meta.ts';

/** Bytes of a token account without extensions. */
export const TOKEN_ACCOUNT_SIZE = 165;

const TRANSFER = 3;
const APPROVE = 4;
const CLOSE_ACCOUNT = 9;
const SYNC_NATIVE = 17;
const INITIALIZE_ACCOUNT = 18;
const UNWRAP_LAMPORTS = 45;
const SOME = 1;
const BATCH = 255;
const MOST_IN_A_BYTE = 255;

/** The account must already be allocated and hold its rent. */
export function initializeSolAccount(account: string, owner: string): Instruction {
  return token(
    [writable(account), readonly(NATIVE_MINT)],
    [Uint8Array.of(INITIALIZE_ACCOUNT), addressBytes(owner)],
  );
}

/** Moves wrapped SOL to another account of it. The owner or, within its allowance, the delegate signs. */
export function transferSol(transfer: {
  readonly from: string;
  readonly to: string;
  readonly authority: string;
  readonly lamports: bigint;
}): Instruction {
  return token(
    [writable(transfer.from), writable(transfer.to), signing(transfer.authority)],
    [Uint8Array.of(TRANSFER), unsigned(transfer.lamports, 8)],
  );
}

/** Replaces the delegate and what it may still spend. The owner signs. */
export function approveDelegate(approval: {
  readonly account: string;
  readonly owner: string;
  readonly delegate: string;
  readonly lamports: bigint;
}): Instruction {
  return token(
    [writable(approval.account), readonly(approval.delegate), signing(approval.owner)],
    [Uint8Array.of(APPROVE), unsigned(approval.lamports, 8)],
  );
}

/** Pays wrapped SOL out as lamports to any account. The owner or, within its allowance, the delegate signs. */
export function unwrapLamports(payment: {
  readonly from: string;
  readonly to: string;
  readonly authority: string;
  readonly lamports: bigint;
}): Instruction {
  return token(
    [writable(payment.from), writable(payment.to), signing(payment.authority)],
    [Uint8Array.of(UNWRAP_LAMPORTS, SOME), unsigned(payment.lamports, 8)],
  );
}

/** Everything that the account holds, its rent too, goes to the destination as lamports. The owner signs. */
export function closeSolAccount(account: string, destination: string, owner: string): Instruction {
  return token([writable(account), writable(destination), signing(owner)], [Uint8Array.of(CLOSE_ACCOUNT)]);
}

/** Counts lamports that the account was given as wrapped SOL. */
export function syncNative(account: string): Instruction {
  return token([writable(account)], [Uint8Array.of(SYNC_NATIVE)]);
}

/** Runs instructions of the token program as one, which costs less: all or none. */
export function batchOf(instructions: readonly Instruction[]): Instruction {
  const parts: Uint8Array[] = [Uint8Array.of(BATCH)];
  for (const { program, accounts, data } of instructions) {
    if (program !== TOKEN_PROGRAM) throw new TypeError(`a batch takes no instruction of ${program}`);
    if (accounts.length > MOST_IN_A_BYTE || data.length > MOST_IN_A_BYTE)
      throw new RangeError('an instruction in a batch has at most 255 accounts and 255 bytes');
    parts.push(Uint8Array.of(accounts.length, data.length), data);
  }
  return {
    program: TOKEN_PROGRAM,
    accounts: instructions.flatMap(({ accounts }) => accounts),
    data: joined(parts),
  };
}

function token(accounts: readonly AccountMeta[], data: readonly Uint8Array[]): Instruction {
  return { program: TOKEN_PROGRAM, accounts, data: joined(data) };
}
