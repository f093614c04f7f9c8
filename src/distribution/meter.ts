/**
 * The meter: why a payment cannot happen twice. A pot is an account whose delegate may spend exactly what the pot is to
 * pay. What is left of that allowance is the meter: every payment lowers it, nothing raises it, a donation neither.
 *
 * Each payment transaction begins with the guard: a transfer of all that is left from the pot to itself, by the delegate.
 * It moves nothing, and fails where less is left. So of everything that was ever signed for one value of the meter at most
 * one lands, once: whatever lands first lowers it, and the guards of all the others fail.
 *
 * The guard proves "at least", not "exactly". Two rules make up for that, and whoever calls this must keep them:
 * 1. Sign for a value only after a finalized read has shown it. A fork could give back a higher value.
 * 2. Never approve one delegate twice for one account: old transactions would fit the new allowance.
 */
import type { Instruction } from 'levy-solana-wire';
import { batchOf, closeSolAccount, transferSol, unwrapLamports } from '../chain/wrapped-sol-instructions.ts';

/** An account of wrapped SOL that pays one run's holders. */
export interface Pot {
  readonly address: string;
  readonly owner: string;
  readonly delegate: string;
}

/** What is left of the allowance, as a finalized read has shown it. */
export type MeterValue = bigint;

export interface Payment {
  readonly to: string;
  readonly lamports: bigint;
}

/** The delegate signs. Throws a RangeError for payments that are none, or that the allowance does not cover. */
export function payFromPot(pot: Pot, value: MeterValue, payments: readonly Payment[]): Instruction {
  let left = value;
  for (const { lamports } of payments) {
    // Nothing but a payment lowers the meter: one of nothing could land again and again.
    if (lamports <= 0n) throw new RangeError(`${lamports} lamports are no payment`);
    left -= lamports;
  }
  if (payments.length === 0) throw new RangeError('a batch without a payment does not move the meter');
  if (left < 0n) throw new RangeError(`the payments exceed the ${value} lamports that are left`);
  const { address, delegate } = pot;
  return batchOf([
    guard(pot, value),
    ...payments.map(({ to, lamports }) =>
      unwrapLamports({ from: address, to, authority: delegate, lamports }),
    ),
  ]);
}

/**
 * Closes the pot into the till, only if the meter still shows the value: a payment that is under way makes the close
 * fail, and the close makes every payment fail. With nothing left the delegate is gone, and no payment can land. Owner
 * and, with something left, delegate sign.
 */
export function closePot(pot: Pot, value: MeterValue, destination: string): readonly Instruction[] {
  const close = closeSolAccount(pot.address, destination, pot.owner);
  return value === 0n ? [close] : [guard(pot, value), close];
}

function guard({ address, delegate }: Pot, value: MeterValue): Instruction {
  return transferSol({ from: address, to: address, authority: delegate, lamports: value });
}
