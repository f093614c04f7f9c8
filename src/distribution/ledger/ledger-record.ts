/** Encodes, compares and sums records of an allotment. `levy-transparency-log` defines their layout; browsers use it too. */

import { type Static, Type } from '@sinclair/typebox';
import { addressOf } from 'levy-solana-wire';
import {
  AMOUNTS,
  AMOUNTS_AT,
  KIND_AT,
  KINDS,
  REASON_AT,
  RECORD_SIZE,
  type RecordFields,
  readRecord,
} from 'levy-transparency-log';
import type { RewardAsset } from '../../streams/distribution.ts';
import { Amount, U128 } from '../../streams/value-types.ts';
import type { AmountColumn } from '../amounts/amount-column.ts';

export {
  AMOUNTS,
  AMOUNTS_AT,
  KIND_AT,
  KINDS,
  type Kind,
  OWNER_SIZE,
  REASONS,
  RECORD_SIZE,
  type Reason,
} from 'levy-transparency-log';

/** A record with the owner's address in base58. */
export interface LedgerRecord extends Omit<RecordFields, 'owner'> {
  readonly owner: string;
}

const DEBT = KINDS.indexOf('debt');

const OWNER_AT = 0;
const FURTHER_AMOUNTS = ['basis', 'share', 'owedBefore', 'planned', 'paidBefore'] as const;

/** Throws a RangeError for bytes that neither this nor an earlier version wrote. */
export function decodeRecord(bytes: Uint8Array): LedgerRecord {
  const record = readRecord(bytes);
  return { ...record, owner: addressOf(record.owner) };
}

/** Compares the bytes of owner and kind; 0 for the same owner in the same capacity. */
export function compareRecords(one: Uint8Array, other: Uint8Array): number {
  return Buffer.compare(one.subarray(OWNER_AT, REASON_AT), other.subarray(OWNER_AT, REASON_AT));
}

/** Asset in which a record of this kind (an index into `KINDS`) is paid, in a run that pays `asset`. */
export function assetOf(kind: number, asset: RewardAsset): RewardAsset {
  if (kind !== DEBT) return asset;
  return asset === 'sol' ? 'token' : 'sol';
}

/** Records in columns, to avoid a million objects. */
export interface RecordColumns {
  /** 32 bytes. */
  ownerAt(index: number): Uint8Array;
  balanceAt(index: number): bigint;
  /** Indexes into `KINDS` and `REASONS`. */
  readonly kinds: Uint8Array;
  readonly reasons: Uint8Array;
  readonly amounts: { readonly [name in (typeof FURTHER_AMOUNTS)[number]]: AmountColumn };
}

/** Encodes the records from `from` to before `to`. */
export function encodeColumns(columns: RecordColumns, from: number, to: number): Uint8Array {
  const bytes = Buffer.allocUnsafe((to - from) * RECORD_SIZE);
  const amounts = FURTHER_AMOUNTS.map((name) => columns.amounts[name]);
  for (let index = from; index < to; index++) {
    const at = (index - from) * RECORD_SIZE;
    bytes.set(columns.ownerAt(index), at + OWNER_AT);
    bytes[at + KIND_AT] = columns.kinds[index] ?? 0;
    bytes[at + REASON_AT] = columns.reasons[index] ?? 0;
    bytes.writeBigUInt64LE(columns.balanceAt(index), at + AMOUNTS_AT);
    for (const [column, amount] of amounts.entries())
      bytes.writeBigUInt64LE(amount.get(index), at + AMOUNTS_AT + 8 * (column + 1));
  }
  return bytes;
}

export function ownerOf(record: Uint8Array): Uint8Array {
  return record.subarray(OWNER_AT, KIND_AT);
}

const Sums = Type.Object({
  balance: U128,
  basis: U128,
  share: U128,
  owedBefore: U128,
  planned: U128,
  paidBefore: U128,
});

/** Sums by kind, because debts are in another asset than the rest. */
export const SumsByKind = Type.Object({ costs: Sums, developer: Sums, holder: Sums, debt: Sums });
export type SumsByKind = Static<typeof SumsByKind>;

const Payments = Type.Object({ count: Type.Integer({ minimum: 0 }), sum: Amount });

/** Number and sum of planned payments, by asset. */
export const PaymentsByAsset = Type.Object({ sol: Payments, token: Payments });
export type PaymentsByAsset = Static<typeof PaymentsByAsset>;

const PLANNED = AMOUNTS.indexOf('planned');

/** `asset`: reward asset of the run; debts are paid in the other. */
export function createRecordSums(asset: RewardAsset) {
  const columns = KINDS.map(() => AMOUNTS.map(() => 0n));
  const counts = { sol: 0, token: 0 };

  return {
    /** Adds consecutive encoded records. */
    add(records: Uint8Array) {
      const view = Buffer.from(records.buffer, records.byteOffset, records.length);
      for (let at = 0; at < view.length; at += RECORD_SIZE) {
        const kind = view[at + KIND_AT] ?? 0;
        const sums = columns[kind];
        if (sums === undefined) throw new RangeError(`unknown record kind ${kind}`);
        for (const [column, sum] of sums.entries()) {
          const amount = view.readBigUInt64LE(at + AMOUNTS_AT + 8 * column);
          sums[column] = sum + amount;
          if (column === PLANNED && amount !== 0n) counts[assetOf(kind, asset)] += 1;
        }
      }
    },

    sums() {
      const totals = (kind: (typeof KINDS)[number]) =>
        Object.fromEntries(
          AMOUNTS.map((name, column) => [name, `${columns[KINDS.indexOf(kind)]?.[column]}`]),
        ) as Static<typeof Sums>;
      return {
        costs: totals('costs'),
        developer: totals('developer'),
        holder: totals('holder'),
        debt: totals('debt'),
      };
    },

    payments() {
      const planned = { sol: 0n, token: 0n };
      for (const [kind, sums] of columns.entries()) planned[assetOf(kind, asset)] += sums[PLANNED] ?? 0n;
      return {
        sol: { count: counts.sol, sum: planned.sol.toString() },
        token: { count: counts.token, sum: planned.token.toString() },
      };
    },
  };
}
