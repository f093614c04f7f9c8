/**
 * Puts together who stands in a run's ledger: every owner that the scan found, everybody who is owed or was ever paid, and
 * the costs and the developer's part. One row for each owner and capacity, sorted, in columns.
 */
import { addressBytes } from 'levy-solana-wire';
import type { RewardAsset } from '../../streams/distribution.ts';
import { U64_MAX } from '../../streams/values.ts';
import { type AmountColumn, createAmountColumn } from '../amounts/amount-column.ts';
import type { ScannedOwners } from '../collecting/scanned-owners.ts';
import { assetOf, KINDS, type Kind, OWNER_SIZE } from '../ledger/record.ts';
import type { CarriedOwners } from '../ledger/run-ledger.ts';

export interface LedgerRows {
  readonly count: number;
  readonly owners: Uint8Array;
  /** Places in `KINDS`. */
  readonly kinds: Uint8Array;
  readonly balances: AmountColumn;
  /** At the scan before; 0 for who was not there. */
  readonly formerBalances: AmountColumn;
  readonly owedBefore: AmountColumn;
  readonly paidBefore: AmountColumn;
  /** 1 where the scan saw an account of the token that is like the associated one. */
  readonly hasAssociated: Uint8Array;
}

/** A row that is there whatever the scan found. */
export interface ExtraRow {
  readonly owner: string;
  readonly kind: Kind;
}

export interface LedgerSources {
  readonly asset: RewardAsset;
  readonly scanned: ScannedOwners;
  /** The run before, and the asset that it paid; undefined for the first run. */
  readonly previous:
    | { readonly asset: RewardAsset; readonly owners: AsyncIterable<CarriedOwners> }
    | undefined;
  readonly extra: readonly ExtraRow[];
}

const HOLDER = KINDS.indexOf('holder');
const DEBT = KINDS.indexOf('debt');

/** What is known of one owner, by kind. */
interface Entry {
  readonly owed: bigint[];
  readonly paid: bigint[];
  readonly present: boolean[];
}

/** `rest` is awaited now and then, so that others can run. */
export async function ledgerRows(sources: LedgerSources, rest: () => Promise<void>): Promise<LedgerRows> {
  const { scanned, asset, previous } = sources;
  const rows = createRows(scanned.count + sources.extra.length);
  const extra = sources.extra
    .map(({ owner, kind }) => ({ owner: addressBytes(owner), kind: KINDS.indexOf(kind) }))
    .sort((one, other) => Buffer.compare(one.owner, other.owner));
  const carried = carriedRows(previous?.owners);
  let next = await carried.next();
  let scannedAt = 0;
  let extraAt = 0;
  let done = 0;

  for (;;) {
    const scannedOwner =
      scannedAt < scanned.count
        ? scanned.owners.subarray(scannedAt * OWNER_SIZE, (scannedAt + 1) * OWNER_SIZE)
        : undefined;
    const owner = least(scannedOwner, next.value?.owner, extra[extraAt]?.owner);
    if (owner === undefined) break;
    const entry: Entry = {
      owed: KINDS.map(() => 0n),
      paid: KINDS.map(() => 0n),
      present: KINDS.map(() => false),
    };
    entry.present[HOLDER] = true;
    let former = 0n;
    while (next.value !== undefined && isSame(next.value.owner, owner)) {
      const { kind, owed, paid, balance } = next.value;
      const becomes = kindNow(kind, previous?.asset ?? asset, asset);
      entry.owed[becomes] = (entry.owed[becomes] ?? 0n) + owed;
      entry.paid[becomes] = atMost64Bits((entry.paid[becomes] ?? 0n) + paid);
      if (owed > 0n || paid > 0n) entry.present[becomes] = true;
      if (kind === HOLDER) former = balance;
      next = await carried.next();
    }
    for (; extra[extraAt] !== undefined && isSame(extra[extraAt]?.owner, owner); extraAt++)
      entry.present[extra[extraAt]?.kind ?? HOLDER] = true;
    const isScanned = scannedOwner !== undefined && isSame(scannedOwner, owner);
    rows.add(owner, entry, {
      balance: isScanned ? scanned.balances.get(scannedAt) : 0n,
      former,
      hasAssociated: isScanned ? (scanned.hasAssociated[scannedAt] ?? 0) : 0,
    });
    if (isScanned) scannedAt += 1;
    done += 1;
    if (done % OWNERS_PER_SLICE === 0) await rest();
  }
  return rows.end();
}

const OWNERS_PER_SLICE = 4_096;

/** When another asset is paid than before, what was owed in the former one is a debt, and the other way round. */
function kindNow(kind: number, before: RewardAsset, now: RewardAsset): number {
  if (before === now) return kind;
  return assetOf(kind, before) === now ? HOLDER : DEBT;
}

interface CarriedRow {
  readonly owner: Uint8Array;
  readonly kind: number;
  readonly owed: bigint;
  readonly paid: bigint;
  readonly balance: bigint;
}

async function* carriedRows(
  chunks: AsyncIterable<CarriedOwners> | undefined,
): AsyncGenerator<CarriedRow, undefined> {
  if (chunks === undefined) return undefined;
  for await (const { count, owners, kinds, balances, owedAfter, paidAfter } of chunks) {
    for (let index = 0; index < count; index++) {
      yield {
        owner: owners.subarray(index * OWNER_SIZE, (index + 1) * OWNER_SIZE),
        kind: kinds[index] ?? HOLDER,
        owed: owedAfter.get(index),
        paid: paidAfter.get(index),
        balance: balances.get(index),
      };
    }
  }
  return undefined;
}

function createRows(expected: number) {
  let capacity = Math.max(1_024, expected);
  let rows = emptyRows(capacity);
  let count = 0;

  function grow(): void {
    capacity *= 2;
    const larger = emptyRows(capacity);
    larger.owners.set(rows.owners);
    larger.kinds.set(rows.kinds);
    larger.hasAssociated.set(rows.hasAssociated);
    for (const name of COLUMNS) larger[name].halves.set(rows[name].halves);
    rows = larger;
  }

  return {
    add(
      owner: Uint8Array,
      { owed, paid, present }: Entry,
      found: { readonly balance: bigint; readonly former: bigint; readonly hasAssociated: number },
    ): void {
      for (let kind = 0; kind < KINDS.length; kind++) {
        if (present[kind] !== true) continue;
        if (count === capacity) grow();
        rows.owners.set(owner, count * OWNER_SIZE);
        rows.kinds[count] = kind;
        if (kind === HOLDER) {
          rows.balances.set(count, found.balance);
          rows.formerBalances.set(count, found.former);
        }
        rows.hasAssociated[count] = found.hasAssociated;
        rows.owedBefore.set(count, owed[kind] ?? 0n);
        rows.paidBefore.set(count, paid[kind] ?? 0n);
        count += 1;
      }
    },
    end: (): LedgerRows => ({ ...rows, count }),
  };
}

const COLUMNS = ['balances', 'formerBalances', 'owedBefore', 'paidBefore'] as const;

function emptyRows(capacity: number): Omit<LedgerRows, 'count'> {
  return {
    owners: new Uint8Array(capacity * OWNER_SIZE),
    kinds: new Uint8Array(capacity),
    balances: createAmountColumn(capacity),
    formerBalances: createAmountColumn(capacity),
    owedBefore: createAmountColumn(capacity),
    paidBefore: createAmountColumn(capacity),
    hasAssociated: new Uint8Array(capacity),
  };
}

function least(...owners: readonly (Uint8Array | undefined)[]): Uint8Array | undefined {
  let found: Uint8Array | undefined;
  for (const owner of owners)
    if (owner !== undefined && (found === undefined || Buffer.compare(owner, found) < 0)) found = owner;
  return found;
}

function isSame(one: Uint8Array | undefined, other: Uint8Array): boolean {
  return one !== undefined && Buffer.compare(one, other) === 0;
}

/** Over many runs a wallet may be paid the same tokens again and again: the sum of all then stays at its greatest. */
function atMost64Bits(amount: bigint): bigint {
  return amount > U64_MAX ? U64_MAX : amount;
}
