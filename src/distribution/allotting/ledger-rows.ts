/**
 * Assembles the rows of a run's ledger: every owner that the scan found, that is owed or that was ever paid, the costs, and the
 * developer's part. Sorted columns with one row per owner and capacity.
 */
import { addressBytes, U64_MAX } from 'levy-solana-wire';
import type { RewardAsset } from '../../streams/distribution.ts';
import { createAmountColumn } from '../amounts/amount-column.ts';
import type { ScannedOwners } from '../collecting/scanned-owners.ts';
import { assetOf, KINDS, type Kind, OWNER_SIZE } from '../ledger/ledger-record.ts';
import type { CarriedOwners } from '../ledger/run-ledger.ts';

/** Columns of all rows; may be longer than `count`. */
export type LedgerRows = Awaited<ReturnType<typeof ledgerRows>>;

/** A row that exists regardless of the scan. */
export interface ExtraRow {
  readonly owner: string;
  readonly kind: Kind;
}

interface LedgerSources {
  readonly asset: RewardAsset;
  readonly scanned: ScannedOwners;
  /** Owners of the previous run, and its reward asset; undefined for the first run. */
  readonly previous:
    | { readonly asset: RewardAsset; readonly owners: AsyncIterable<CarriedOwners> }
    | undefined;
  readonly extra: readonly ExtraRow[];
}

const HOLDER = KINDS.indexOf('holder');
const DEBT = KINDS.indexOf('debt');

/** Amounts of one owner, by kind. */
interface Entry {
  readonly owed: bigint[];
  readonly paid: bigint[];
  readonly present: boolean[];
}

/** `rest` is awaited regularly, so that other tasks can run. */
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

/**
 * After a change of the reward asset, amounts owed in the former asset become debts. Debts in the new asset become
 * holders' amounts.
 */
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

/** Columns of rows. Owners and balances stay in the scan; a row stores only their index. */
function createRows(scanned: ScannedOwners, expected: number) {
  let capacity = expected;
  let columns = emptyColumns(capacity);
  let count = 0;
  /** Addresses of owners that the scan did not find. */
  let others: Uint8Array = new Uint8Array(0);
  let otherCount = 0;

  /** Grows by a quarter, because doubling would waste memory with a million rows. */
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
    /** `who` is an index into the scan, or an owner's address. */
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
          throw new RangeError(`row index ${index} is out of range (${count} rows)`);
        return source;
      };
      return {
        ...rest,
        count,
        /** View of 32 bytes. */
        ownerAt(index: number): Uint8Array {
          const source = sourceAt(index);
          if (source >= 0) return scanned.ownerAt(source);
          return others.subarray((-source - 1) * OWNER_SIZE, -source * OWNER_SIZE);
        },
        /** A holder's balance at the scan; 0 for every other kind. */
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
    /** Index of the owner in the scan; owners that the scan did not find are numbered from -1 downwards. */
    sources: new Int32Array(capacity),
    /** Indexes into `KINDS`. */
    kinds: new Uint8Array(capacity),
    /** Balance at the previous scan; 0 for new owners. */
    formerBalances: createAmountColumn(capacity),
    owedBefore: createAmountColumn(capacity),
    paidBefore: createAmountColumn(capacity),
    /** 1 if the scan found a token account with an immutable owner, as associated accounts have. */
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

/** Caps a sum at 64 bits: over many runs a wallet may be paid the same tokens repeatedly. */
function atMost64Bits(amount: bigint): bigint {
  return amount > U64_MAX ? U64_MAX : amount;
}
