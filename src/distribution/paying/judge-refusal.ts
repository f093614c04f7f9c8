/** Reads from the chain's error why a batch of payments failed: because of one recipient, of none, or of the pot. Pure. */

import { addressOf, decodeTransaction } from 'levy-solana-wire';
import { memberOf, parsedJson } from '../../kernel/runtime/parsed-json.ts';
import type { RewardAsset } from '../../streams/distribution.ts';
import type { Refusal } from '../../streams/distribution-run.ts';
import type { Payment } from '../once/meter.ts';

export type RefusalVerdict =
  /** Places among the batch's payments. */
  | { readonly outcome: 'recipient'; readonly place: number; readonly refusal: Refusal }
  /** One of the recipients, but the chain does not say which. */
  | { readonly outcome: 'somebody' }
  /** The pot, the payer, the tax or the blockhash: the same payments may land later. */
  | { readonly outcome: 'not-a-recipient' };

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

/** Errors of an instruction that speak of an account's form, not of the pot. */
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

/** `error` as JSON text, as the chain's port gives it; `wire` is the transaction that failed. */
export function judgeRefusal(
  error: string,
  asset: RewardAsset,
  payments: readonly Payment[],
  wire: Uint8Array,
): RefusalVerdict {
  const parsed = parsedJson(error);
  const rent = memberOf(parsed, 'InsufficientFundsForRent');
  if (rent !== undefined)
    return named(placeOfAccount(memberOf(rent, 'account_index'), payments, wire), 'under-rent-floor');

  const instruction = memberOf(parsed, 'InstructionError');
  if (!Array.isArray(instruction)) return { outcome: 'not-a-recipient' };
  const [index, cause]: readonly unknown[] = instruction;
  const code = memberOf(cause, 'Custom');
  if (POT_CODES.includes(code)) return { outcome: 'not-a-recipient' };
  const refusal =
    typeof code === 'number'
      ? (RECIPIENT_CODES[code] ?? 'unknown')
      : typeof cause === 'string'
        ? (RECIPIENT_ERRORS[cause] ?? 'unknown')
        : 'unknown';
  // One instruction pays all in SOL; in tokens each has its own, behind the guard.
  if (asset === 'sol') return payments.length === 1 ? named(0, refusal) : { outcome: 'somebody' };
  return typeof index === 'number' && index > 0 ? named(index - 1, refusal) : { outcome: 'not-a-recipient' };

  function named(place: number, why: Refusal): RefusalVerdict {
    return place >= 0 && place < payments.length
      ? { outcome: 'recipient', place, refusal: why }
      : { outcome: 'not-a-recipient' };
  }
}

function placeOfAccount(index: unknown, payments: readonly Payment[], wire: Uint8Array): number {
  const decoded = decodeTransaction(wire);
  if (!decoded.ok || typeof index !== 'number') return -1;
  const key = decoded.transaction.message.accountKeys[index];
  const address = key && addressOf(key);
  return payments.findIndex(({ to }) => to === address);
}
