/** Says whose accounts are to be looked at before a run is allotted, and what the looks change in its columns. Pure. */
import { addressBytes, keyOf } from 'levy-solana-wire';
import type { RewardAsset } from '../../streams/distribution.ts';
import type { AmountColumn } from '../amounts/amount-column.ts';
import { assetOf, KINDS, REASONS } from '../ledger/record.ts';
import { type Allotted, STANDINGS } from './allot.ts';
import { standingAfterLook } from './judge-owner.ts';
import type { LedgerRows } from './ledger-rows.ts';
import type { PayeeLooks } from './look-at-payees.ts';

/** What a run is allotted by, one place in each column for each row of the ledger. */
export interface PayeeColumns {
  readonly rows: Pick<LedgerRows, 'count' | 'kinds' | 'owedBefore' | 'ownerAt'>;
  /** Places in `STANDINGS`. */
  readonly standings: Uint8Array;
  readonly bases: AmountColumn;
  /** 1 unless a payment would have to make the account. */
  readonly takesSol: Uint8Array;
}

const COSTS = KINDS.indexOf('costs');
const HOLDER = KINDS.indexOf('holder');
const PLANNED = REASONS.indexOf('planned');
const PROGRAM_OWNED = REASONS.indexOf('program-owned');
const TAKES_PART = STANDINGS.indexOf('takes-part');

/**
 * Rows that would be paid, and those of programs' addresses that would be if they were listed in: these may turn out to be
 * what nobody can ever spend. With `everybody`, also those whose share is too small as yet.
 */
export function markPayees(
  { rows, standings, bases }: PayeeColumns,
  { reasons, shares }: Pick<Allotted, 'reasons' | 'shares'>,
  { asset, minimumPayout, everybody }: Payouts,
): Uint8Array {
  const marked = new Uint8Array(rows.count);
  for (let row = 0; row < rows.count; row++) {
    const kind = rows.kinds[row] ?? HOLDER;
    // The distributor is ours.
    if (kind === COSTS) continue;
    const reason = reasons[row];
    if (reason === PLANNED) marked[row] = 1;
    else if (reason === PROGRAM_OWNED) {
      const least = assetOf(kind, asset) === 'sol' ? minimumPayout : 1n;
      if (rows.owedBefore.get(row) + shares.get(row) >= least) marked[row] = 1;
    } else if (everybody && standings[row] === TAKES_PART && bases.get(row) > 0n) marked[row] = 1;
  }
  return marked;
}

export interface Payouts {
  readonly asset: RewardAsset;
  /** Lamports. */
  readonly minimumPayout: bigint;
  readonly everybody: boolean;
}

/** Changes the columns by what was seen; says whether the run has to be decided anew for it. */
export function takeVerdicts(
  { rows, standings, bases, takesSol }: PayeeColumns,
  planned: Pick<AmountColumn, 'get'>,
  { asset, rentFloor, listedIn }: SeenPayees,
  looks: Pick<PayeeLooks, 'verdictOf'>,
): boolean {
  const listed = new Set(listedIn.map((address) => keyOf(addressBytes(address))));
  let hasChanged = false;
  for (let row = 0; row < rows.count; row++) {
    const verdict = looks.verdictOf(row);
    if (verdict === undefined || verdict === 'wallet') continue;
    const kind = rows.kinds[row] ?? HOLDER;
    if (verdict === 'absent') {
      const isTooLittle = assetOf(kind, asset) === 'sol' && planned.get(row) < rentFloor;
      if (isTooLittle && planned.get(row) > 0n && takesSol[row] === 1) hasChanged = true;
      if (isTooLittle) takesSol[row] = 0;
      continue;
    }
    const before = STANDINGS[standings[row] ?? STANDINGS.length];
    if (before === undefined) throw new RangeError(`the standing of row ${row} is unknown`);
    const after = standingAfterLook(before, verdict, listed.has(keyOf(rows.ownerAt(row))));
    if (after === before) continue;
    standings[row] = STANDINGS.indexOf(after);
    hasChanged = true;
    // Nobody's share grows for an account that nobody can spend from.
    if (after !== 'program-owned' && kind === HOLDER) bases.set(row, 0n);
  }
  return hasChanged;
}

export interface SeenPayees {
  readonly asset: RewardAsset;
  readonly rentFloor: bigint;
  readonly listedIn: readonly string[];
}
