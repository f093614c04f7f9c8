/** Replans a batch that the chain refused because of a recipient. Pure. */

import { addressOf, decodeTransaction } from 'levy-solana-wire';
import { memberOf, parsedJson } from '../../kernel/runtime/bounded-input.ts';
import type { RewardAsset } from '../../streams/distribution.ts';
import {
  type DistributionRunState,
  type PlannedBatch,
  paymentKey,
  type Refusal,
} from '../../streams/distribution-run.ts';
import type { Payment } from '../once/meter.ts';
import type { OpenPot, Replan } from './paying-memory.ts';
import type { PaymentBook } from './payment-book.ts';
import { batchFrom, type RECIPIENTS } from './plan-batches.ts';

/** A failed transaction. */
interface Failed {
  readonly plan: PlannedBatch;
  /** JSON text from the chain's port. */
  readonly error: string;
  readonly wire: Uint8Array;
}

/** New plan for the same value; undefined if no recipient is at fault. `recipients`: maximum per transaction. */
export function replanBatch(
  { book, state }: { readonly book: PaymentBook; readonly state: Pick<DistributionRunState, 'refused'> },
  { index, planned }: Pick<OpenPot, 'index' | 'planned'>,
  { plan, error, wire }: Failed,
  recipients: typeof RECIPIENTS,
): Replan | undefined {
  const payments = book.paymentsOf(planned.asset, plan);
  const verdict = judgeRefusal(error, planned.asset, payments, wire);
  if (verdict === undefined) return undefined;
  const numbers = book.numbersOf(plan);
  if (verdict === 'somebody') {
    const half = batchFrom(state, plan, planned, Math.ceil(numbers.length / 2));
    return half === undefined ? undefined : { batch: half, refused: [] };
  }
  const number = numbers[verdict.place];
  if (number === undefined) return undefined;
  const refused = [{ number, refusal: verdict.refusal }];
  const left = plan.without.concat(number).sort((a, b) => a - b);
  const batch =
    numbers.length > 1
      ? { ...plan, without: left }
      : batchFrom(
          { refused: { ...state.refused, [paymentKey(planned.asset, number)]: verdict.refusal } },
          { pot: index, value: plan.value, from: plan.from },
          planned,
          recipients[planned.asset],
        );
  // If no recipient is left, the recorded refusal ends the pot.
  return { batch: batch ?? { ...plan, without: left }, refused };
}

/** `place`: index of the refused payment in the batch. `somebody`: a recipient is at fault, but the error does not identify it. */
type RefusalVerdict = { readonly place: number; readonly refusal: Refusal } | 'somebody';

/** Error codes of the token programs. */
const INSUFFICIENT_FUNDS = 1;
const MINT_MISMATCH = 3;
const OWNER_MISMATCH = 4;
const UNINITIALIZED = 9;
const ACCOUNT_FROZEN = 17;
const FEE_MISMATCH = 32;
const NO_MEMO = 36;

const RECIPIENT_CODES: { readonly [code: number]: Refusal } = {
  [MINT_MISMATCH]: 'not-an-account-of-the-mint',
  [UNINITIALIZED]: 'closed',
  [ACCOUNT_FROZEN]: 'frozen',
  [NO_MEMO]: 'needs-memo',
};
const POT_CODES: readonly unknown[] = [INSUFFICIENT_FUNDS, OWNER_MISMATCH, FEE_MISMATCH];

/** Instruction errors that concern an account's form, not the pot. */
const RECIPIENT_ERRORS: { readonly [name: string]: Refusal } = {
  InvalidAccountData: 'closed',
  InvalidAccountOwner: 'closed',
  IncorrectProgramId: 'closed',
  UninitializedAccount: 'closed',
  IllegalOwner: 'closed',
  ReadonlyLamportChange: 'read-only',
  ReadonlyDataModified: 'read-only',
  ExecutableLamportChange: 'read-only',
  ExternalAccountLamportSpend: 'read-only',
};

/**
 * `error`: JSON text from the chain's port; `wire`: the failed transaction. Undefined if the cause is the pot, the payer, the
 * tax or the blockhash instead of a recipient, because then the same payments may land later.
 */
function judgeRefusal(
  error: string,
  asset: RewardAsset,
  payments: readonly Payment[],
  wire: Uint8Array,
): RefusalVerdict | undefined {
  const parsed = parsedJson(error);
  const rent = memberOf(parsed, 'InsufficientFundsForRent');
  if (rent !== undefined)
    return named(placeOfAccount(memberOf(rent, 'account_index'), payments, wire), 'under-rent-floor');

  const instruction = memberOf(parsed, 'InstructionError');
  if (!Array.isArray(instruction)) return undefined;
  const [index, cause]: readonly unknown[] = instruction;
  const code = memberOf(cause, 'Custom');
  if (POT_CODES.includes(code)) return undefined;
  const refusal =
    typeof code === 'number'
      ? (RECIPIENT_CODES[code] ?? 'unknown')
      : typeof cause === 'string'
        ? (RECIPIENT_ERRORS[cause] ?? 'unknown')
        : 'unknown';
  // In SOL one instruction makes all payments; in tokens each payment has its own, after the guard.
  if (asset === 'sol') return payments.length === 1 ? named(0, refusal) : 'somebody';
  return typeof index === 'number' && index > 0 ? named(index - 1, refusal) : undefined;

  function named(place: number, why: Refusal): RefusalVerdict | undefined {
    return place >= 0 && place < payments.length ? { place, refusal: why } : undefined;
  }
}

function placeOfAccount(index: unknown, payments: readonly Payment[], wire: Uint8Array): number {
  const decoded = decodeTransaction(wire);
  if (!decoded.ok || typeof index !== 'number') return -1;
  const key = decoded.transaction.message.accountKeys[index];
  const address = key && addressOf(key);
  return payments.findIndex(({ to }) => to === address);
}
