/** Finds the transaction that lowered a pot's meter, and the plan whose payments it made. */
import { sameBytes, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from 'levy-solana-wire';
import { instructionsIn } from '../../chain/landed-instructions.ts';
import type { Chain, LandedTransaction } from '../../kernel/ports/chain.ts';
import type { PlannedBatch, PlannedPot } from '../../streams/distribution-run.ts';
import { isLinkTo } from '../links/settle-links.ts';
import type { Payment } from '../once/meter.ts';
import { findTransaction, signatureOf } from '../sending/find-transaction.ts';
import type { OpenPot, Paying } from './paying-memory.ts';
import type { PaymentBook } from './payment-book.ts';
import { batchKey } from './plan-batches.ts';

/** Transaction that was guarded at the pot's value; `batch`: the plan that it paid, undefined if no plan matches. */
export interface FoundPayment {
  readonly signature: string;
  readonly slot: string;
  readonly fee: string;
  readonly batch: PlannedBatch | undefined;
  readonly paid: bigint;
  /** True if it is signed with a key that can spend from the pot, but is not a payment at this value. */
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
    // A transaction that this process signed for a plan, byte for byte, needs no decoding.
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
 * True if the transaction is signed with a key that can spend from the pot, but is neither a settled payment nor a link of the
 * log. A holder of the key chooses the instructions, so their form proves nothing.
 */
function isForeign(
  landed: LandedTransaction,
  { token, state, links: { landed: settledLinks, pending } }: Paying,
  { delegate }: PlannedPot,
): boolean {
  // Before the tax was collected no pot existed, and the wallet signs withdrawals too.
  if (BigInt(landed.slot) <= BigInt(state.collected?.slot ?? '0')) return false;
  const signers = instructionsIn(landed.wire)?.signers ?? [];
  if (!signers.includes(delegate) && !signers.includes(token.wallet.address)) return false;
  const signature = signatureOf(landed);
  if (state.settled.some((batch) => batch.signature === signature)) return false;
  const tills = [...settledLinks.flatMap(({ links }) => links), ...pending];
  return !tills.some(({ till }) => isLinkTo(landed, till, token));
}

/** The plan with exactly these payments. */
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

interface LandedPayment {
  readonly value: bigint;
  readonly payments: readonly Payment[];
}

interface Move {
  readonly from: string;
  readonly to: string;
  readonly authority: string;
  readonly amount: bigint;
}

const BATCH = 255;
const TRANSFER = 3;
const UNWRAP_LAMPORTS = 45;
const SOME = 1;
const TRANSFER_FEE_EXTENSION = 26;
const TRANSFER_CHECKED_WITH_FEE = 1;

/**
 * Undefined unless the transaction begins with the guard of this pot and is signed by its delegate. The signature is checked
 * because the token's account is a pot in every run, so its meter may have had the same value in an earlier run.
 */
export function readPayment(
  wire: Uint8Array,
  { address, delegate, asset }: Pick<PlannedPot, 'address' | 'delegate' | 'asset'>,
): LandedPayment | undefined {
  const moves = asset === 'sol' ? solMoves(wire) : tokenMoves(wire);
  const [guard, ...rest] = moves ?? [];
  if (guard === undefined || guard.to !== address || rest.length === 0) return undefined;
  if (moves?.some(({ from, authority }) => from !== address || authority !== delegate)) return undefined;
  return { value: guard.amount, payments: rest.map(({ to, amount }) => ({ to, amount })) };
}

/** Guard and payments of one batch of the token program; undefined for any other transaction. */
function solMoves(wire: Uint8Array): readonly Move[] | undefined {
  const [step, ...others] = instructionsIn(wire)?.instructions ?? [];
  if (step === undefined || others.length > 0) return undefined;
  const { program, accounts, data } = step;
  if (program !== TOKEN_PROGRAM || data[0] !== BATCH) return undefined;
  const moves: Move[] = [];
  let account = 0;
  for (let at = 1; at + 2 <= data.length; ) {
    const [takes, length] = [data[at] ?? 0, data[at + 1] ?? 0];
    const body = data.subarray(at + 2, at + 2 + length);
    const move = solMove(body, accounts.slice(account, account + takes), moves.length === 0);
    if (move === undefined) return undefined;
    moves.push(move);
    account += takes;
    at += 2 + length;
  }
  return moves;
}

function solMove(data: Buffer, [from, to, authority]: readonly string[], isGuard: boolean): Move | undefined {
  if (from === undefined || to === undefined || authority === undefined) return undefined;
  if (isGuard)
    return data[0] === TRANSFER && data.length === 9
      ? { from, to, authority, amount: data.readBigUInt64LE(1) }
      : undefined;
  return data[0] === UNWRAP_LAMPORTS && data[1] === SOME && data.length === 10
    ? { from, to, authority, amount: data.readBigUInt64LE(2) }
    : undefined;
}

function tokenMoves(wire: Uint8Array): readonly Move[] | undefined {
  const moves: Move[] = [];
  for (const { program, accounts, data } of instructionsIn(wire)?.instructions ?? []) {
    const [from, , to, authority] = accounts;
    const isTransfer =
      program === TOKEN_2022_PROGRAM &&
      data[0] === TRANSFER_FEE_EXTENSION &&
      data[1] === TRANSFER_CHECKED_WITH_FEE &&
      data.length === 19;
    if (!isTransfer || from === undefined || to === undefined || authority === undefined) return undefined;
    moves.push({ from, to, authority, amount: data.readBigUInt64LE(2) });
  }
  return moves;
}
