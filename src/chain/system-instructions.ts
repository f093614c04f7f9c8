/** The instructions of the system and compute-budget programs that the service uses. */

import type { Instruction } from 'levy-solana-wire';
import { addressBytes, COMPUTE_BUDGET_PROGRAM, joined, SYSTEM_PROGRAM, unsigned } from 'levy-solana-wire';

const CREATE_ACCOUNT = 0;
const TRANSFER = 2;
export const ALLOCATE_WITH_SEED = 9;
const SET_COMPUTE_UNIT_LIMIT = 2;
const SET_COMPUTE_UNIT_PRICE = 3;

/** `from` and the new account sign; `space` in bytes. */
export function createAccountInstruction(account: {
  readonly from: string;
  readonly newAccount: string;
  readonly lamports: bigint;
  readonly space: number;
  readonly owner: string;
}): Instruction {
  return {
    program: SYSTEM_PROGRAM,
    accounts: [
      { address: account.from, signer: true, writable: true },
      { address: account.newAccount, signer: true, writable: true },
    ],
    data: joined([
      unsigned(CREATE_ACCOUNT, 4),
      unsigned(account.lamports, 8),
      unsigned(account.space, 8),
      addressBytes(account.owner),
    ]),
  };
}

/** `from` signs. */
export function transferInstruction(transfer: {
  readonly from: string;
  readonly to: string;
  readonly lamports: bigint;
}): Instruction {
  return {
    program: SYSTEM_PROGRAM,
    accounts: [
      { address: transfer.from, signer: true, writable: true },
      { address: transfer.to, signer: false, writable: true },
    ],
    data: joined([unsigned(TRANSFER, 4), unsigned(transfer.lamports, 8)]),
  };
}

/** Whether the data are those of such a transfer, with the amount behind its first four bytes. */
export function isTransfer(data: Uint8Array): boolean {
  return data.length === 12 && Buffer.from(data).readUInt32LE(0) === TRANSFER;
}

/**
 * Gives the address that `base` derives under the seed to a program, whoever has put lamports there before. Fails if it
 * already belongs to one. `base` signs.
 */
export function allocateWithSeedInstruction(account: {
  readonly address: string;
  readonly base: string;
  readonly seed: string;
  readonly space: number;
  readonly owner: string;
}): Instruction {
  const seed = Buffer.from(account.seed);
  return {
    program: SYSTEM_PROGRAM,
    accounts: [
      { address: account.address, signer: false, writable: true },
      { address: account.base, signer: true, writable: false },
    ],
    data: joined([
      unsigned(ALLOCATE_WITH_SEED, 4),
      addressBytes(account.base),
      unsigned(seed.length, 8),
      seed,
      unsigned(account.space, 8),
      addressBytes(account.owner),
    ]),
  };
}

export function computeUnitLimitInstruction(units: number): Instruction {
  const data = joined([unsigned(SET_COMPUTE_UNIT_LIMIT, 1), unsigned(units, 4)]);
  return { program: COMPUTE_BUDGET_PROGRAM, accounts: [], data };
}

/** The priority price in microlamports per compute unit. */
export function computeUnitPriceInstruction(microlamports: bigint): Instruction {
  const data = joined([unsigned(SET_COMPUTE_UNIT_PRICE, 1), unsigned(microlamports, 8)]);
  return { program: COMPUTE_BUDGET_PROGRAM, accounts: [], data };
}
