/**
 * Aggregates the token accounts of a mint into one balance per owner, sorted by owner, in columns, because a token may have a
 * million holders. The columns consist of blocks: growing copies at most the first block. Sorting happens in place. It
 * yields regularly, so that the caller can run other work in between.
 */
import {
  addressBytes,
  parseAddress,
  TOKEN_2022_PROGRAM,
  tokenAccountFigures,
  U64_MAX,
} from 'levy-solana-wire';
import type { TokenAccountPage } from '../../kernel/ports/chain.ts';
import { OWNER_SIZE } from '../ledger/ledger-record.ts';

/** Balances by owner, in ascending order of owners. */
export interface ScannedOwners {
  readonly count: number;
  /** View of 32 bytes. */
  ownerAt(index: number): Uint8Array;
  balanceAt(index: number): bigint;
  /** True if the owner has a token account with an immutable owner, as associated accounts have. */
  hasAssociatedAt(index: number): boolean;
}

export type OwnerCollector = ReturnType<typeof createOwnerCollector>;

/** Columns of up to 4,096 accounts, in the order received. */
interface Block {
  readonly owners: Uint8Array;
  readonly amounts: BigUint64Array;
  readonly associated: Uint8Array;
}

const BLOCK_BITS = 12;
const PER_BLOCK = 2 ** BLOCK_BITS;
const IN_BLOCK = PER_BLOCK - 1;
const FIRST_PER_BLOCK = 16;
const IMMUTABLE_OWNER = 7;
const FIRST_EXTENSION_AT = 166;
const PER_SLICE = 16_384;

export function createOwnerCollector(mint: string) {
  const mintBytes = addressBytes(mint);
  /** Account indexes by full address, because anybody can create addresses that share some characters. Released by `finish`. */
  let places: Map<string, number> | undefined = new Map();
  let count = 0;
  const blocks: Block[] = [];
  /** Base units withheld in each account; separate from the blocks, which outlive the collector. */
  const withheldIn: BigUint64Array[] = [];
  let [balanceSum, withheldSum] = [0n, 0n];
  let withWithheld = 0;
  let taxed: readonly string[] | undefined;

  function isOfMint(data: Uint8Array): boolean {
    for (let index = 0; index < mintBytes.length; index++) if (data[index] !== mintBytes[index]) return false;
    return true;
  }

  function put({ address, account }: TokenAccountPage['accounts'][number]): void {
    if (account.owner !== TOKEN_2022_PROGRAM || !isOfMint(account.data)) return;
    const figures = tokenAccountFigures(account.data);
    const known = requirePlaces().get(address);
    if (figures === undefined || (known === undefined && parseAddress(address) === undefined)) return;
    const place = known ?? count;
    const at = place & IN_BLOCK;
    const former = blocks[place >>> BLOCK_BITS];
    if (at >= (former?.amounts.length ?? 0)) {
      const enlarged = enlargedBlock(former, sizeOfBlock(place));
      const column = new BigUint64Array(enlarged.amounts.length);
      column.set(withheldIn[place >>> BLOCK_BITS] ?? []);
      blocks[place >>> BLOCK_BITS] = enlarged;
      withheldIn[place >>> BLOCK_BITS] = column;
    }
    if (known === undefined) {
      requirePlaces().set(address, place);
      count += 1;
    }
    const { owners, amounts, associated } = block(blocks, place);
    const withheld = block(withheldIn, place);
    // The columns of a new account contain zeros.
    const [formerAmount, formerWithheld] = [amounts[at] ?? 0n, withheld[at] ?? 0n];
    owners.set(figures.owner, at * OWNER_SIZE);
    amounts[at] = figures.amount;
    associated[at] = account.data[FIRST_EXTENSION_AT] === IMMUTABLE_OWNER ? 1 : 0;
    withheld[at] = figures.withheld;
    balanceSum += figures.amount - formerAmount;
    withheldSum += figures.withheld - formerWithheld;
    withWithheld += (figures.withheld > 0n ? 1 : 0) - (formerWithheld > 0n ? 1 : 0);
    taxed = undefined;
  }

  function requirePlaces(): Map<string, number> {
    if (places === undefined) throw new Error('accounts cannot be added to a finished scan');
    return places;
  }

  function findTaxed(): readonly string[] {
    const found: string[] = [];
    for (const [address, place] of requirePlaces())
      if ((block(withheldIn, place)[place & IN_BLOCK] ?? 0n) > 0n) found.push(address);
    return found;
  }

  return {
    get accounts() {
      return count;
    },
    /**
     * A repeated account counts once, with its latest state. Accounts of other mints are ignored; the sums reveal if one replaced
     * an account of this mint.
     */
    add({ accounts }: Pick<TokenAccountPage, 'accounts'>) {
      for (const account of accounts) put(account);
    },
    /** Base units in the accounts, without withheld tax. */
    balances: () => balanceSum,
    /** Base units withheld in all accounts. */
    withheld: () => withheldSum,
    /** Number of accounts with withheld tax. */
    get withWithheld() {
      return withWithheld;
    },
    addressesWithWithheld(from: number, to: number) {
      taxed ??= findTaxed();
      return taxed.slice(from, to);
    },
    /** Yields after each slice; returns the result. No account can be added afterwards. */
    *finish() {
      taxed ??= findTaxed();
      places = undefined;
      const byOwner = (one: number, other: number) => compareOwners(blocks, one, other);
      return yield* merged(blocks, yield* sorted(count, byOwner));
    },
  };
}

/** Block size in accounts: the first block grows in powers of two, because most tokens have few accounts. */
function sizeOfBlock(place: number): number {
  return place < PER_BLOCK ? Math.max(FIRST_PER_BLOCK, 2 ** (32 - Math.clz32(place))) : PER_BLOCK;
}

function enlargedBlock(former: Block | undefined, size: number): Block {
  const block = {
    owners: new Uint8Array(size * OWNER_SIZE),
    amounts: new BigUint64Array(size),
    associated: new Uint8Array(size),
  };
  block.owners.set(former?.owners ?? []);
  block.amounts.set(former?.amounts ?? []);
  block.associated.set(former?.associated ?? []);
  return block;
}

/** Merges all accounts of an owner into the first. Takes parameters, so that the collector's own references can be released. */
function* merged(blocks: readonly Block[], order: Uint32Array): Generator<void, ScannedOwners> {
  const count = order.length;
  const blockOf = (place: number): Block => block(blocks, place);
  const ownerAt = (place: number): Uint8Array => ownerIn(blockOf(place).owners, place);
  let distinct = 0;
  for (let index = 0; index < count; index++) {
    const place = order[index] ?? 0;
    const first = order[distinct - 1] ?? 0;
    if (distinct === 0 || compareOwners(blocks, first, place) !== 0) {
      order[distinct] = place;
      distinct += 1;
    } else {
      const own = blockOf(place);
      const { amounts, associated } = blockOf(first);
      const at = first & IN_BLOCK;
      const sum = (amounts[at] ?? 0n) + (own.amounts[place & IN_BLOCK] ?? 0n);
      if (sum > U64_MAX) throw new RangeError('the balance of an owner exceeds 64 bits');
      amounts[at] = sum;
      if (own.associated[place & IN_BLOCK] === 1) associated[at] = 1;
    }
    if (index % PER_SLICE === PER_SLICE - 1) yield;
  }
  const placeOf = (index: number): number => {
    const place = order[index];
    if (place === undefined || index >= distinct)
      throw new RangeError(`owner index ${index} is out of range (${distinct} owners)`);
    return place;
  };
  return {
    count: distinct,
    ownerAt: (index) => ownerAt(placeOf(index)),
    balanceAt(index) {
      const place = placeOf(index);
      return blockOf(place).amounts[place & IN_BLOCK] ?? 0n;
    },
    hasAssociatedAt(index) {
      const place = placeOf(index);
      return blockOf(place).associated[place & IN_BLOCK] === 1;
    },
  };
}

function compareOwners(blocks: readonly Block[], one: number, other: number): number {
  const [first, second] = [block(blocks, one).owners, block(blocks, other).owners];
  const [firstAt, secondAt] = [(one & IN_BLOCK) * OWNER_SIZE, (other & IN_BLOCK) * OWNER_SIZE];
  for (let index = 0; index < OWNER_SIZE; index++) {
    const difference = (first[firstAt + index] ?? 0) - (second[secondAt + index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function block<Column>(blocks: readonly Column[], place: number): Column {
  const found = blocks[place >>> BLOCK_BITS];
  if (found === undefined) throw new RangeError(`account index ${place} is out of range`);
  return found;
}

function ownerIn(owners: Uint8Array, place: number): Uint8Array {
  const at = (place & IN_BLOCK) * OWNER_SIZE;
  return owners.subarray(at, at + OWNER_SIZE);
}

/** Account indexes in ascending order of owners, stable. A bottom-up merge sort, which can pause after any step. */
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
