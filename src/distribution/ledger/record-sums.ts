/** Adds up the columns of records and counts their payments: what a ledger's header says of its records. */
import { type Static, Type } from '@sinclair/typebox';
import type { RewardAsset } from '../../streams/distribution.ts';
import { Amount, U128 } from '../../streams/values.ts';
import { AMOUNTS, AMOUNTS_AT, assetOf, KIND_AT, KINDS, RECORD_SIZE } from './record.ts';

const Sums = Type.Object({
  balance: U128,
  basis: U128,
  share: U128,
  owedBefore: U128,
  planned: U128,
  paidBefore: U128,
});

/** By kind, since a debt is owed in another asset than the rest. */
export const SumsByKind = Type.Object({ costs: Sums, developer: Sums, holder: Sums, debt: Sums });
export type SumsByKind = Static<typeof SumsByKind>;

const Payments = Type.Object({ count: Type.Integer({ minimum: 0 }), sum: Amount });

/** Records that are to be paid, by the asset that pays them. */
export const PaymentsByAsset = Type.Object({ sol: Payments, token: Payments });
export type PaymentsByAsset = Static<typeof PaymentsByAsset>;

export interface RecordSums {
  /** One record after another, without a gap. */
  add(records: Uint8Array): void;
  sums(): SumsByKind;
  payments(): PaymentsByAsset;
}

const PLANNED = AMOUNTS.indexOf('planned');

/** `asset` is what the run pays; debts are paid in the other. */
export function createRecordSums(asset: RewardAsset): RecordSums {
  const columns = KINDS.map(() => AMOUNTS.map(() => 0n));
  const counts = { sol: 0, token: 0 };

  return {
    add(records) {
      const view = Buffer.from(records.buffer, records.byteOffset, records.length);
      for (let at = 0; at < view.length; at += RECORD_SIZE) {
        const kind = view[at + KIND_AT] ?? 0;
        const sums = columns[kind];
        if (sums === undefined) throw new RangeError(`a record has the unknown kind ${kind}`);
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
