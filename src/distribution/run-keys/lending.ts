/**
 * What the key of a run is lent. It pays tokens out as the delegate, and pays the fees of that by itself, so that one
 * signature carries a batch. Lamports; pure.
 */
import { SIGNATURE_FEE } from '../sending/sender.ts';

/** The most payments that a key is lent for at once: so much is at stake where the key leaks or a log is lost. */
const PAYMENTS_LENT = 100;
/** Payments that are signed again cost a fee each. */
const SPARE_PAYMENTS = 5;
/** Compute units of a full batch. */
export const PAYMENT_UNITS = 200_025;
/** Compute units of a transfer of lamports. */
export const TRANSFER_UNITS = 150;

export interface LendingPolicy {
  /** The most payments that a key is lent for at once; fewer than usual where given. */
  readonly paymentsLent?: number;
}

/** For how many payments a key is lent lamports, if so many are left to be made. */
export function paymentsToLend(left: number, { paymentsLent = PAYMENTS_LENT }: LendingPolicy = {}): number {
  return Math.min(left + SPARE_PAYMENTS, paymentsLent);
}

/** How often a key is lent lamports, if every payment lands at once. */
export function loansFor(payments: number): number {
  return Math.ceil(payments / PAYMENTS_LENT);
}

export interface KeyBalance {
  readonly held: bigint;
  /** What an account without data must hold; a payer that would be left with less is refused. */
  readonly rent: bigint;
  /** Fee of one payment, in lamports. */
  readonly fee: bigint;
}

/** Fills the key up: with the fees of the payments, and of the transfer that empties it in the end. */
export function lamportsToLend({ held, rent, fee }: KeyBalance, payments: number): bigint {
  const missing = rent + fee * BigInt(payments) + SIGNATURE_FEE - held;
  return missing > 0n ? missing : 0n;
}

/** Whether the chain would refuse a payment, because its fee leaves too little. */
export function isDry({ held, rent, fee }: KeyBalance): boolean {
  return held < rent + fee;
}
