/** The instructions of the token program that make, lend, count and close accounts of wrapped SOL. */
import {
  ACCOUNT_SIZE,
  createApproveInstruction,
  createAssociatedTokenAccountIdempotentInstruction,
  createCloseAccountInstruction,
  createInitializeAccount3Instruction,
  createSyncNativeInstruction,
  NATIVE_MINT,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import type { Instruction } from 'levy-solana-wire';
import { fitting, instructionOf, publicKey } from './web3-instruction.ts';

/** Bytes of a token account without extensions. */
export const TOKEN_ACCOUNT_SIZE = ACCOUNT_SIZE;

/** The account must already be allocated and hold its rent. */
export function initializeSolAccount(account: string, owner: string): Instruction {
  return instructionOf(
    createInitializeAccount3Instruction(publicKey(account), NATIVE_MINT, publicKey(owner), TOKEN_PROGRAM_ID),
  );
}

/** The owner's associated account; does nothing if it is there already. */
export function createSolAccountIfAbsent(account: {
  readonly payer: string;
  readonly tokenAccount: string;
  readonly owner: string;
}): Instruction {
  return instructionOf(
    createAssociatedTokenAccountIdempotentInstruction(
      publicKey(account.payer),
      publicKey(account.tokenAccount),
      publicKey(account.owner),
      NATIVE_MINT,
      TOKEN_PROGRAM_ID,
    ),
  );
}

/** Replaces the delegate and what it may still spend. The owner signs. */
export function approveDelegate(approval: {
  readonly account: string;
  readonly owner: string;
  readonly delegate: string;
  readonly lamports: bigint;
}): Instruction {
  return instructionOf(
    createApproveInstruction(
      publicKey(approval.account),
      publicKey(approval.delegate),
      publicKey(approval.owner),
      fitting(approval.lamports, 64),
      [],
      TOKEN_PROGRAM_ID,
    ),
  );
}

/** Everything that the account holds, its rent too, goes to the destination as lamports. The owner signs. */
export function closeSolAccount(account: string, destination: string, owner: string): Instruction {
  return instructionOf(
    createCloseAccountInstruction(
      publicKey(account),
      publicKey(destination),
      publicKey(owner),
      [],
      TOKEN_PROGRAM_ID,
    ),
  );
}

/** Counts lamports that the account was given as wrapped SOL. */
export function syncNative(account: string): Instruction {
  return instructionOf(createSyncNativeInstruction(publicKey(account), TOKEN_PROGRAM_ID));
}
