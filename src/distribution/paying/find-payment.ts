/** Finds the transaction that lowered a pot's meter, and the plan whose payments it made. */
import { addressOf, decodeTransaction, sameBytes } from 'levy-solana-wire';
import type { Chain, LandedTransaction } from '../../kernel/ports/chain.ts';
import type { PlannedBatch, PlannedPot } from '../../streams/distribution-run.ts';
import { isLinkTo } from '../links/settle-links.ts';
import { findTransaction, signatureOf } from '../sending/find-transaction.ts';
import type { OpenPot, Paying } from './paying.ts';
import type { PaymentBook } from './payment-book.ts';
import { batchKey } from './plan-batches.ts';
import { type LandedPayment, readPayment } from './read-payment.ts';

/** The transaction that was guarded at the pot's value, and the plan that it paid; undefined if it was in none. */
export interface FoundPayment {
  readonly signature: string;
  readonly slot: string;
  readonly fee: string;
  readonly batch: PlannedBatch | undefined;
  readonly paid: bigint;
  /** It has not the form of a payment at this value, and is signed with a key that can take from the pot. */
  readonly isForeign: boolean;
}

export async function findPayment(
  chain: Chain,
  paying: Paying,
  { planned, progress }: OpenPot,
): Promise<FoundPayment | undefined> {
  const { memory, book, searches } = paying;
  const { asset } = planned;
  const value = BigInt(progress.value);
  const own = progress.plans.flatMap((plan) => {
    const signed = memory.signed.get(batchKey(plan));
    return signed === undefined ? [] : [{ plan, ...signed }];
  });
  function paymentIn({ wire }: LandedTransaction): Pick<FoundPayment, 'batch' | 'paid'> | undefined {
    // What this process signed for a plan, byte for byte, needs no reading.
    const signed = own.find(({ transaction }) => sameBytes(transaction.wire, wire));
    if (signed !== undefined) return { batch: signed.plan, paid: book.sumOfBatch(asset, signed.plan) };
    const read = readPayment(wire, planned);
    if (read?.value !== value) return undefined;
    return { batch: batchPaidBy(book, asset, progress.plans, read), paid: sumOf(read) };
  }
  const found = await findTransaction(chain, searches, {
    address: planned.address,
    name: `what was paid at ${value}`,
    likely: own.flatMap(({ transaction, before }) => [transaction.signature, ...before]),
    matches: (landed) => paymentIn(landed) !== undefined,
    suspects: (landed) => isForeign(landed, paying, planned),
  });
  if (found === undefined) return undefined;
  const { signature, transaction } = found;
  const payment = found.isSuspect ? { batch: undefined, paid: 0n } : paymentIn(transaction);
  if (payment === undefined) return undefined;
  const landed = { signature, slot: transaction.slot.toString(), fee: transaction.fee.toString() };
  return { ...landed, ...payment, isForeign: found.isSuspect };
}

/**
 * Signed with a key that can take from the pot, and neither a settled payment nor a link of the log. Whoever has the key chooses the
 * instructions, so their form says nothing.
 */
function isForeign(
  landed: LandedTransaction,
  { token, state, links: { landed: settledLinks, pending } }: Paying,
  { delegate }: PlannedPot,
): boolean {
  const decoded = decodeTransaction(landed.wire);
  // Before the tax was collected there was no pot, and withdrawals are signed with the wallet too.
  if (!decoded.ok || BigInt(landed.slot) <= BigInt(state.collected?.slot ?? '0')) return false;
  const { accountKeys, requiredSignatures } = decoded.transaction.message;
  const signers = accountKeys.slice(0, requiredSignatures).map(addressOf);
  if (!signers.includes(delegate) && !signers.includes(token.wallet.address)) return false;
  const signature = signatureOf(landed);
  if (state.settled.some((batch) => batch.signature === signature)) return false;
  const tills = [...settledLinks.flatMap(({ links }) => links), ...pending];
  return !tills.some(({ till }) => isLinkTo(landed, till, token));
}

/** The plan whose payments these are. */
function batchPaidBy(
  book: PaymentBook,
  asset: PlannedPot['asset'],
  plans: readonly PlannedBatch[],
  { payments }: LandedPayment,
): PlannedBatch | undefined {
  return plans.find((plan) => {
    const expected = book.paymentsOf(asset, plan);
    return (
      expected.length === payments.length &&
      expected.every(
        ({ to, amount }, index) => to === payments[index]?.to && amount === payments[index]?.amount,
      )
    );
  });
}

function sumOf({ payments }: LandedPayment): bigint {
  return payments.reduce((sum, { amount }) => sum + amount, 0n);
}
