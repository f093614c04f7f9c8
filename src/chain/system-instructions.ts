/** The few instructions of the system and compute-budget programs that are used here. */
import { addressBytes, COMPUTE_BUDGET_PROGRAM, SYSTEM_PROGRAM } from './address.ts';
import type { Instruction } from './legacy-message.ts';

/** `from` and the new account sign; `space` in bytes. */
export function createAccountInstruction(account: {
  readonly from: string;
  readonly newAccount: string;
  readonly lamports: bigint;
  readonly space: number;
  readonly owner: string;
}): Instruction {
  const data = new Uint8Array(52);
  const view = new DataView(data.buffer);
  view.setBigUint64(4, account.lamports, true);
  view.setBigUint64(12, BigInt(account.space), true);
  data.set(addressBytes(account.owner), 20);
  return {
    program: SYSTEM_PROGRAM,
    accounts: [
      { address: account.from, signer: true, writable: true },
      { address: account.newAccount, signer: true, writable: true },
    ],
    data,
  };
}

export function computeUnitLimitInstruction(units: number): Instruction {
  const data = new Uint8Array(5);
  data[0] = 2;
  new DataView(data.buffer).setUint32(1, units, true);
  return { program: COMPUTE_BUDGET_PROGRAM, accounts: [], data };
}

/** The priority price of one compute unit in microlamports. */
export function computeUnitPriceInstruction(microlamports: bigint): Instruction {
  const data = new Uint8Array(9);
  data[0] = 3;
  new DataView(data.buffer).setBigUint64(1, microlamports, true);
  return { program: COMPUTE_BUDGET_PROGRAM, accounts: [], data };
}
