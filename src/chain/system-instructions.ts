/** The instructions of the system and compute-budget programs that the service uses. */
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

/** `from` and the new account sign; `space` in bytes. */
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

/** `from` signs. */
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

/** The lamports that the data of a system instruction move by a plain transfer; undefined for all other data. */
export function transferredLamports(data: Uint8Array): bigint | undefined {
  if (data.length !== TRANSFER_SIZE || typeOf(data) !== 'Transfer') return undefined;
  return SystemInstruction.decodeTransfer(systemInstruction(data)).lamports;
}

/** True if the data of a system instruction are those of `allocateWithSeedInstruction`. */
export function isAllocateWithSeed(data: Uint8Array): boolean {
  return typeOf(data) === 'AllocateWithSeed';
}

function typeOf(data: Uint8Array): SystemInstructionType | undefined {
  try {
    return SystemInstruction.decodeInstructionType(systemInstruction(data));
  } catch {
    // It throws for data that are of no instruction.
    return undefined;
  }
}

/** With two accounts, because the decoder asks for them. */
function systemInstruction(data: Uint8Array): TransactionInstruction {
  const account = { pubkey: PublicKey.default, isSigner: false, isWritable: false };
  return new TransactionInstruction({
    programId: SystemProgram.programId,
    keys: [account, account],
    data: Buffer.from(data),
  });
}

/**
 * Assigns the address derived from `base` and the seed to a program, even if it holds lamports. Fails if it already belongs to
 * a program. `base` signs.
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

/** The priority price in microlamports per compute unit. */
export function computeUnitPriceInstruction(microlamports: bigint): Instruction {
  return instructionOf(
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: fitting(microlamports, 64) }),
  );
}
