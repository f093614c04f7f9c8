/**
 * The meter prevents double payments. A pot is an account whose delegate may spend exactly the pot's payments. The remaining
 * allowance is the meter: every payment lowers it, and nothing raises it, not even a donation.
 *
 * Each payment transaction begins with the guard: the delegate transfers the whole remainder from the pot to itself. The guard
 * moves nothing, and fails if less is left. So of all transactions signed for one value of the meter at most one lands, once:
 * the first to land lowers the meter, and the guards of all other payments fail.
 *
 * The guard proves "at least", not "exactly". Two rules compensate for that, and callers must follow them:
 * 1. Sign for a value only after a finalized read has shown it. A fork could restore a higher value.
 * 2. Never approve one delegate twice for one account: old transactions would fit the new allowance.
 */
import { createCloseAccountInstruction } from '@solana/spl-token';
import { feeOfTransfer, type Instruction, type TransferFee } from 'levy-solana-wire';
import {
  batchOf,
  taxedTransferInstruction,
  transferSol,
  unwrapLamports,
} from '../../chain/payment-instructions.ts';
import { tokenInstruction } from '../../chain/web3-instruction.ts';

/** Account that pays one run's holders: wrapped SOL, created for the run, or the wallet's own account of the token. */
export interface Pot {
  readonly address: string;
  readonly owner: string;
  /** Approved spender; a key of the run if the pot outlives the run. */
  readonly delegate: string;
  readonly asset: { readonly kind: 'sol' } | TaxedToken;
}

interface TaxedToken {
  readonly kind: 'token';
  readonly mint: string;
  readonly decimals: number;
  /** Transfer fee in the current epoch; any other fee makes the transaction fail. */
  readonly tax: TransferFee;
}

export interface Payment {
  /** A wallet; a token account if tokens are paid. */
  readonly to: string;
  /** Lamports, or base units before the tax. */
  readonly amount: bigint;
}

/**
 * Signed by the delegate. `value`: remaining allowance at a finalized read. Throws a RangeError for invalid or uncovered
 * payments.
 */
export function payFromPot(pot: Pot, value: bigint, payments: readonly Payment[]): readonly Instruction[] {
  let left = value;
  for (const { amount } of payments) {
    // A batch that does not lower the meter could land repeatedly.
    if (amount <= 0n) throw new RangeError(`${amount} is not a valid payment`);
    left -= amount;
  }
  if (payments.length === 0) throw new RangeError('a batch must contain a payment');
  if (left < 0n) throw new RangeError(`the payments exceed the remaining allowance of ${value}`);
  const instructions = [guardOf(pot, value), ...payments.map((payment) => pay(pot, payment))];
  return pot.asset.kind === 'sol' ? [batchOf(instructions)] : instructions;
}

/**
 * Closes a pot of wrapped SOL into the till, only if the meter still has the value. So a payment that lands first makes the close
 * fail, and the close makes later payments fail. At 0 the account has no delegate, and no payment can land. The owner signs, and
 * above 0 the delegate too.
 */
export function closePot(pot: Pot, value: bigint, destination: string): readonly Instruction[] {
  const close = tokenInstruction(createCloseAccountInstruction, pot.address, destination, pot.owner);
  return value === 0n ? [close] : [guardOf(pot, value), close];
}

/** Guard instruction: moves nothing, and fails if less than the value is left. Signed by the delegate. */
export function guardOf(pot: Pot, value: bigint): Instruction {
  const { address, delegate, asset } = pot;
  return asset.kind === 'sol'
    ? transferSol({ from: address, to: address, authority: delegate, lamports: value })
    : pay(pot, { to: address, amount: value });
}

function pay({ address, delegate, asset }: Pot, { to, amount }: Payment): Instruction {
  if (asset.kind === 'sol')
    return unwrapLamports({ from: address, to, authority: delegate, lamports: amount });
  const { mint, decimals, tax } = asset;
  const fee = feeOfTransfer(tax, amount);
  return taxedTransferInstruction({ mint, decimals, from: address, to, authority: delegate, amount, fee });
}
