/**
 * The meter: why a payment cannot happen twice. A pot is an account whose delegate may spend exactly the pot's payments. The
 * rest of that allowance is the meter: every payment lowers it, and nothing raises it, not even a donation.
 *
 * Each payment transaction begins with the guard: a transfer of the whole rest from the pot to itself, by the delegate. It
 * moves nothing, and fails if less is left. So of all transactions signed for one value of the meter at most one lands, once:
 * the first to land lowers the meter, and the guards of all others fail.
 *
 * The guard proves "at least", not "exactly". Two rules compensate for that, and callers must follow them:
 * 1. Sign for a value only after a finalized read has shown it. A fork could restore a higher value.
 * 2. Never approve one delegate twice for one account: old transactions would fit the new allowance.
 */
import { createCloseAccountInstruction } from '@solana/spl-token';
import { feeOfTransfer, type Instruction, type TransferFee } from 'levy-solana-wire';
import { batchOf, transferSol, transferTaxed, unwrapLamports } from '../../chain/payment-instructions.ts';
import { tokenInstruction } from '../../chain/web3-instruction.ts';

/** An account that pays one run's holders: of wrapped SOL, made for the run, or the wallet's own account of the token. */
export interface Pot {
  readonly address: string;
  readonly owner: string;
  /** For a pot that outlives a run, a key of the run. */
  readonly delegate: string;
  readonly asset: { readonly kind: 'sol' } | TaxedToken;
}

interface TaxedToken {
  readonly kind: 'token';
  readonly mint: string;
  readonly decimals: number;
  /** The rate at which the chain taxes transfers now; another makes the transaction fail. */
  readonly tax: TransferFee;
}

export interface Payment {
  /** A wallet, or a token account where tokens are paid. */
  readonly to: string;
  /** Lamports, or base units before the tax. */
  readonly amount: bigint;
}

/** `value`: what is left of the allowance, from a finalized read. The delegate signs. Throws a RangeError for payments that are none, or that the allowance does not cover. */
export function payFromPot(pot: Pot, value: bigint, payments: readonly Payment[]): readonly Instruction[] {
  let left = value;
  for (const { amount } of payments) {
    // Nothing but a payment lowers the meter: one of nothing could land again and again.
    if (amount <= 0n) throw new RangeError(`${amount} is no payment`);
    left -= amount;
  }
  if (payments.length === 0) throw new RangeError('a batch without a payment does not move the meter');
  if (left < 0n) throw new RangeError(`the payments exceed the ${value} that are left`);
  const instructions = [guardOf(pot, value), ...payments.map((payment) => pay(pot, payment))];
  return pot.asset.kind === 'sol' ? [batchOf(instructions)] : instructions;
}

/**
 * Closes a pot of wrapped SOL into the till, only if the meter still shows the value: a payment that is under way makes
 * the close fail, and the close makes every payment fail. With nothing left the delegate is gone, and no payment can
 * land. Owner and, with something left, delegate sign.
 */
export function closePot(pot: Pot, value: bigint, destination: string): readonly Instruction[] {
  const close = tokenInstruction(createCloseAccountInstruction, pot.address, destination, pot.owner);
  return value === 0n ? [close] : [guardOf(pot, value), close];
}

/** Moves nothing, and fails where less than the value is left. The delegate signs. */
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
  return transferTaxed({ mint, decimals, from: address, to, authority: delegate, amount, fee });
}
