/**
 * Gathers the token accounts of a mint into one balance for each owner, sorted by owner, in columns: a token may have a
 * million holders. The sorting yields again and again, so that whoever drives it can let others run.
 */
import { tokenAccountFigures } from 'levy-solana-wire';
import type { TokenAccountPage } from '../../ports/chain.ts';
import { type AmountColumn, createAmountColumn } from '../amounts/amount-column.ts';
import { OWNER_SIZE } from '../ledger/record.ts';

export interface ScannedOwners {
  readonly count: number;
  /** 32 bytes each, ascending. */
  readonly owners: Uint8Array;
  readonly balances: AmountColumn;
  /** 1 where the owner has an account like the associated one: its owner can never change. */
  readonly hasAssociated: Uint8Array;
}

export interface OwnerCollector {
  /** Of an account that comes again the last state counts. */
  add(page: Pick<TokenAccountPage, 'accounts'>): void;
  readonly accounts: number;
  /** Base units withheld in all accounts. */
  withheld(): bigint;
  /** The number of accounts with withheld tax, and their addresses, some at a time. */
  readonly withWithheld: number;
  addressesWithWithheld(from: number, to: number): readonly string[];
  /** Yields after each slice; returns the result. Nothing can be added after it. */
  finish(): Generator<void, ScannedOwners>;
}

const IMMUTABLE_OWNER = 7;
const FIRST_EXTENSION_AT = 166;
const FIRST_CAPACITY = 1_024;
const PER_SLICE = 16_384;
const BASE = 58;
/** Characters of an address that are put into 32 bits. The first ones differ little. */
const KEY_FROM = 2;
const KEY_LENGTH = 5;

export function createOwnerCollector(): OwnerCollector {
  let capacity = FIRST_CAPACITY;
  let owners: Uint8Array = new Uint8Array(capacity * OWNER_SIZE);
  let amounts = new BigUint64Array(capacity);
  let associated = new Uint8Array(capacity);
  /** Ten characters of each account's address: enough to know it again. */
  let keys = new Uint32Array(2 * capacity);
  let count = 0;
  const withheldIn: string[] = [];
  let withheldSum = 0n;

  function grow(): void {
    capacity *= 2;
    owners = larger(owners, new Uint8Array(capacity * OWNER_SIZE));
    amounts = larger(amounts, new BigUint64Array(capacity));
    associated = larger(associated, new Uint8Array(capacity));
    keys = larger(keys, new Uint32Array(2 * capacity));
  }

  function write(place: number, { address, account }: TokenAccountPage['accounts'][number]): boolean {
    const figures = tokenAccountFigures(account.data);
    if (figures === undefined) return false;
    owners.set(figures.owner, place * OWNER_SIZE);
    amounts[place] = figures.amount;
    associated[place] = account.data[FIRST_EXTENSION_AT] === IMMUTABLE_OWNER ? 1 : 0;
    keys[2 * place] = keyAt(address, KEY_FROM);
    keys[2 * place + 1] = keyAt(address, KEY_FROM + KEY_LENGTH);
    if (figures.withheld > 0n) {
      withheldIn.push(address);
      withheldSum += figures.withheld;
    }
    return true;
  }

  function append(account: TokenAccountPage['accounts'][number]): void {
    if (count === capacity) grow();
    if (write(count, account)) count += 1;
  }

  return {
    get accounts() {
      return count;
    },
    add({ accounts }) {
      for (const account of accounts) append(account);
    },
    withheld: () => withheldSum,
    get withWithheld() {
      return withheldIn.length;
    },
    addressesWithWithheld: (from, to) => withheldIn.slice(from, to),
    *finish() {
      yield* dropFormerStates();
      keys = new Uint32Array(0);
      const order = yield* sorted(count, (one, other) => compareOwners(owners, one, other));
      return yield* merged(order);
    },
  };

  /** An account that came twice counts once, as it came last. */
  function* dropFormerStates(): Generator<void> {
    const compare = (one: number, other: number) =>
      (keys[2 * one] ?? 0) - (keys[2 * other] ?? 0) || (keys[2 * one + 1] ?? 0) - (keys[2 * other + 1] ?? 0);
    const order = yield* sorted(count, compare);
    for (let index = 1; index < count; index++) {
      const [former, latter] = [order[index - 1] ?? 0, order[index] ?? 0];
      if (compare(former, latter) === 0) amounts[former] = 0n;
      if (index % PER_SLICE === 0) yield;
    }
  }

  function* merged(order: Uint32Array): Generator<void, ScannedOwners> {
    let distinct = 0;
    for (let index = 0; index < count; index++) {
      if (index === 0 || compareOwners(owners, order[index - 1] ?? 0, order[index] ?? 0) !== 0) distinct += 1;
      if (index % PER_SLICE === PER_SLICE - 1) yield;
    }
    const result = {
      count: distinct,
      owners: new Uint8Array(distinct * OWNER_SIZE),
      balances: createAmountColumn(distinct),
      hasAssociated: new Uint8Array(distinct),
    };
    let owner = -1;
    for (let index = 0; index < count; index++) {
      const place = order[index] ?? 0;
      const isNew = index === 0 || compareOwners(owners, order[index - 1] ?? 0, place) !== 0;
      if (isNew) {
        owner += 1;
        result.owners.set(owners.subarray(place * OWNER_SIZE, (place + 1) * OWNER_SIZE), owner * OWNER_SIZE);
      }
      const before = isNew ? 0n : result.balances.get(owner);
      result.balances.set(owner, before + (amounts[place] ?? 0n));
      if (associated[place] === 1) result.hasAssociated[owner] = 1;
      if (index % PER_SLICE === PER_SLICE - 1) yield;
    }
    return result;
  }
}

function larger<Column extends Uint8Array | Uint32Array | BigUint64Array>(from: Column, to: Column): Column {
  // Both are columns of the same kind.
  (to as Uint8Array).set(from as Uint8Array);
  return to;
}

/** Characters of the address as a number of 32 bits. */
function keyAt(address: string, from: number): number {
  let key = 0;
  for (let index = from; index < from + KEY_LENGTH; index++)
    key = (key * BASE + address.charCodeAt(index)) >>> 0;
  return key;
}

/** Places in ascending order; equal ones as they came. A merge sort from below, which can stop after any step. */
function* sorted(
  count: number,
  compare: (one: number, other: number) => number,
): Generator<void, Uint32Array> {
  let from = new Uint32Array(count);
  let to = new Uint32Array(count);
  for (let index = 0; index < count; index++) from[index] = index;
  let done = 0;
  for (let width = 1; width < count; width *= 2) {
    for (let start = 0; start < count; start += 2 * width) {
      const middle = Math.min(start + width, count);
      const end = Math.min(start + 2 * width, count);
      let [left, right] = [start, middle];
      for (let target = start; target < end; target++) {
        const takesLeft = left < middle && (right >= end || compare(from[left] ?? 0, from[right] ?? 0) <= 0);
        to[target] = (takesLeft ? from[left++] : from[right++]) ?? 0;
        done += 1;
        if (done % PER_SLICE === 0) yield;
      }
    }
    [from, to] = [to, from];
  }
  return from;
}

function compareOwners(owners: Uint8Array, one: number, other: number): number {
  const [first, second] = [one * OWNER_SIZE, other * OWNER_SIZE];
  for (let index = 0; index < OWNER_SIZE; index++) {
    const difference = (owners[first + index] ?? 0) - (owners[second + index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
