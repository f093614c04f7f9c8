/** Finds the holders with the largest balances and those with the largest payments in a ledger. */

import TinyQueue from 'tinyqueue';
import { KINDS } from './ledger-record.ts';
import type { LedgerPayment, RunLedger } from './run-ledger.ts';

export const HOLDER_ORDERS = ['balance', 'paid'] as const;

type HolderOrder = (typeof HOLDER_ORDERS)[number];

/** Maximum holders in each order. */
export const MAX_TOP_HOLDERS = 100;

export type TopHolders = { readonly [order in HolderOrder]: readonly LedgerPayment[] };

interface Ranked {
  /** Index of the record. */
  readonly index: number;
  readonly amount: bigint;
}

const HOLDER = KINDS.indexOf('holder');

/** Largest first; equal amounts in ledger order. Rejects like reads of the ledger. */
export async function findTopHolders(
  ledger: Pick<RunLedger, 'carriedOwners' | 'payments'>,
): Promise<TopHolders> {
  const balances = ranking();
  const payments = ranking();
  let first = 0;
  for await (const { count, kinds, balances: held, paidAfter } of ledger.carriedOwners()) {
    for (let row = 0; row < count; row++) {
      if (kinds[row] !== HOLDER) continue;
      balances.add({ index: first + row, amount: held.get(row) });
      payments.add({ index: first + row, amount: paidAfter.get(row) });
    }
    first += count;
  }
  const read = (all: readonly Ranked[]) =>
    Promise.all(all.map(({ index }) => ledger.payments(index, 1))).then((each) => each.flat());
  return { balance: await read(balances.all()), paid: await read(payments.all()) };
}

/** Collects the `MAX_TOP_HOLDERS` largest positive amounts. */
function ranking() {
  const least = new TinyQueue<Ranked>([], smallestFirst);
  return {
    add(each: Ranked): void {
      if (each.amount === 0n) return;
      least.push(each);
      if (least.length > MAX_TOP_HOLDERS) least.pop();
    },
    all: () => least.data.toSorted((one, other) => smallestFirst(other, one)),
  };
}

/** Smallest amount first; equal amounts in reverse ledger order. */
function smallestFirst(one: Ranked, other: Ranked): number {
  if (one.amount === other.amount) return other.index - one.index;
  return one.amount < other.amount ? -1 : 1;
}
