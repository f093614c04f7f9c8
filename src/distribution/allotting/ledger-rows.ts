/**
 * Assembles the rows of a run's ledger: every owner that the scan found, everybody who is owed or was ever paid, the costs and
 * the developer's part. One row per owner and capacity, sorted, in columns.
 */
import { addressBytes, U64_MAX } from 'levy-solana-wire';
import type { RewardAsset } from '../../streams/distribution.ts';
import { createAmountColumn } from '../amounts/amount-column.ts';
import type { ScannedOwners } from '../collecting/scanned-owners.ts';
import { assetOf, KINDS, type Kind, OWNER_SIZE } from '../ledger/record.ts';
import type { CarriedOwners } from '../ledger/run-ledger.ts';

/** The columns may be longer than `count`. */
export type LedgerRows = Awaited<ReturnType<typeof ledgerRows>>;

/** A row that exists regardless of the scan. */
export interface ExtraRow {
  readonly owner: string;
  readonly kind: Kind;
}

interface LedgerSources {
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

/** Sources of one owner's rows, by kind. */
interface Entry {
  readonly owed: bigint[];
  readonly paid: bigint[];
  readonly present: boolean[];
}

/** `rest` is awaited now and then, so that others can run. */
export async function ledgerRows(sources: LedgerSources, rest: () => Promise<void>) {
  const { scanned, asset, previous } = sources;
  // Owners that the scan did not find get an additional row as a holder.
  const rows = createRows(scanned, scanned.count + 2 * sources.extra.length);
  const extra = sources.extra
    .map(({ owner, kind }) => ({ owner: addressBytes(owner), kind: KINDS.indexOf(kind) }))
    .sort((one, other) => Buffer.compare(one.owner, other.owner));
  const carried = carriedRows(previous?.owners);
  let next = await carried.next();
  let scannedAt = 0;
  let extraAt = 0;
  let done = 0;

  for (;;) {
    const scannedOwner = scannedAt < scanned.count ? scanned.ownerAt(scannedAt) : undefined;
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
    rows.add(isScanned ? scannedAt : owner, entry, former);
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

async function* carriedRows(chunks: AsyncIterable<CarriedOwners> | undefined) {
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

/** Owners and balances that the scan found stay where they are; a row only names their place. */
function createRows(scanned: ScannedOwners, expected: number) {
  let capacity = expected;
  let columns = emptyColumns(capacity);
  let count = 0;
  /** Owners that the scan did not find. */
  let others: Uint8Array = new Uint8Array(0);
  let otherCount = 0;

  /** Grows by a quarter: doubling would be too much for a million rows. */
  function grow(): void {
    capacity += Math.ceil(capacity / 4) + 64;
    const larger = emptyColumns(capacity);
    for (const name of BYTE_COLUMNS) larger[name].set(columns[name]);
    larger.sources.set(columns.sources);
    for (const name of AMOUNT_COLUMNS) larger[name].copy(columns[name]);
    columns = larger;
  }

  function addOther(owner: Uint8Array): number {
    if (others.length === otherCount * OWNER_SIZE) {
      const larger = new Uint8Array((otherCount + Math.ceil(otherCount / 4) + 64) * OWNER_SIZE);
      larger.set(others);
      others = larger;
    }
    others.set(owner, otherCount * OWNER_SIZE);
    otherCount += 1;
    return -otherCount;
  }

  return {
    /** `who` is a place in the scan, or the owner. */
    add(who: number | Uint8Array, { owed, paid, present }: Entry, former: bigint): void {
      const source = typeof who === 'number' ? who : addOther(who);
      for (let kind = 0; kind < KINDS.length; kind++) {
        if (present[kind] !== true) continue;
        if (count === capacity) grow();
        columns.sources[count] = source;
        columns.kinds[count] = kind;
        columns.hasAssociated[count] = source >= 0 && scanned.hasAssociatedAt(source) ? 1 : 0;
        if (kind === HOLDER) columns.formerBalances.set(count, former);
        columns.owedBefore.set(count, owed[kind] ?? 0n);
        columns.paidBefore.set(count, paid[kind] ?? 0n);
        count += 1;
      }
    },
    end() {
      const { sources, ...rest } = columns;
      const sourceAt = (index: number): number => {
        const source = sources[index];
        if (source === undefined || index >= count)
          throw new RangeError(`there is no row ${index} among ${count}`);
        return source;
      };
      return {
        ...rest,
        count,
        /** 32 bytes: a view. */
        ownerAt(index: number): Uint8Array {
          const source = sourceAt(index);
          if (source >= 0) return scanned.ownerAt(source);
          return others.subarray((-source - 1) * OWNER_SIZE, -source * OWNER_SIZE);
        },
        /** A holder's balance when the run looked; 0 in every other capacity. */
        balanceAt(index: number): bigint {
          const source = sourceAt(index);
          return source >= 0 && rest.kinds[index] === HOLDER ? scanned.balanceAt(source) : 0n;
        },
      };
    },
  };
}

const BYTE_COLUMNS = ['kinds', 'hasAssociated'] as const;
const AMOUNT_COLUMNS = ['formerBalances', 'owedBefore', 'paidBefore'] as const;

function emptyColumns(capacity: number) {
  return {
    /** Index of the owner in the scan; other owners are counted from -1 downwards. */
    sources: new Int32Array(capacity),
    /** Places in `KINDS`. */
    kinds: new Uint8Array(capacity),
    /** At the scan before; 0 for who was not there. */
    formerBalances: createAmountColumn(capacity),
    owedBefore: createAmountColumn(capacity),
    paidBefore: createAmountColumn(capacity),
    /** 1 where the scan saw an account of the token that is like the associated one. */
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
