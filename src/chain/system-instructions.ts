/** Instructions of the system and compute-budget programs that the service uses. */
import {
  ComputeBudgetProgram,
  PublicKey,
  SystemInstruction,
  type SystemInstructionType,
  SystemProgram,
  TransactionInstruction,
} from '@solana/web3.js';
import type { Instruction } from 'levy-solana-wire';
import { asNumber, fitting, instructionOf, publicKey } from './web3-instruction.ts';

/** Length of a transfer's data; the program itself would ignore excess bytes. */
const TRANSFER_SIZE = 12;

/** Signed by `from` and the new account; `space` in bytes. */
export function createAccountInstruction(account: {
  readonly from: string;
  readonly newAccount: string;
  readonly lamports: bigint;
  readonly space: number;
  readonly owner: string;
}): Instruction {
  return instructionOf(
    SystemProgram.createAccount({
      fromPubkey: publicKey(account.from),
      newAccountPubkey: publicKey(account.newAccount),
      lamports: asNumber(account.lamports),
      space: account.space,
      programId: publicKey(account.owner),
    }),
  );
}

/** Transfer of lamports, signed by `from`. */
export function transferInstruction(transfer: {
  readonly from: string;
  readonly to: string;
  readonly lamports: bigint;
}): Instruction {
  return instructionOf(
    SystemProgram.transfer({
      fromPubkey: publicKey(transfer.from),
      toPubkey: publicKey(transfer.to),
      lamports: fitting(transfer.lamports, 64),
    }),
  );
}

/** Lamports of a plain transfer, from the data of a system instruction; undefined for all other data. */
export function transferredLamports(data: Uint8Array): bigint | undefined {
  if (data.length !== TRANSFER_SIZE || typeOf(data) !== 'Transfer') return undefined;
  return SystemInstruction.decodeTransfer(systemInstruction(data)).lamports;
}

/** True if a system instruction has the data of `allocateWithSeedInstruction`. */
export function isAllocateWithSeed(data: Uint8Array): boolean {
  return typeOf(data) === 'AllocateWithSeed';
}

function typeOf(data: Uint8Array): SystemInstructionType | undefined {
  try {
    return SystemInstruction.decodeInstructionType(systemInstruction(data));
  } catch {
    // The decoder throws for data of no known instruction.
    return undefined;
  }
}

/** Adds two accounts, because the decoder requires them. */
function systemInstruction(data: Uint8Array): TransactionInstruction {
  const account = { pubkey: PublicKey.default, isSigner: false, isWritable: false };
  return new TransactionInstruction({
    programId: SystemProgram.programId,
    keys: [account, account],
    data: Buffer.from(data),
  });
}

/**
 * Assigns the address derived from `base` and the seed to a program, even if it holds lamports. Fails if it already belongs to a
 * program. Signed by `base`.
 */
export function allocateWithSeedInstruction(account: {
  readonly address: string;
  readonly base: string;
  readonly seed: string;
  readonly space: number;
  readonly owner: string;
}): Instruction {
  return instructionOf(
    SystemProgram.allocate({
      accountPubkey: publicKey(account.address),
      basePubkey: publicKey(account.base),
      seed: account.seed,
      space: account.space,
      programId: publicKey(account.owner),
    }),
  );
}

export function computeUnitLimitInstruction(units: number): Instruction {
  return instructionOf(ComputeBudgetProgram.setComputeUnitLimit({ units: fitting(units, 32) }));
}

/** Sets the priority price, in microlamports per compute unit. */
export function computeUnitPriceInstruction(microlamports: bigint): Instruction {
  return instructionOf(
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: fitting(microlamports, 64) }),
  );
}
