/**
 * Numbers the accounts of a scan in the order in which they come, and knows one again by its whole address: anybody can make
 * two addresses that agree in some of their characters. A table of places in shards, so that none is ever large enough to
 * hold up others while it grows.
 */
import { ADDRESS_SIZE } from 'levy-solana-wire';

export interface AccountPlaces {
  readonly count: number;
  /** The place of an address; one that is not known gets the next. */
  placeOf(address: Uint8Array): number;
  /** 32 bytes: a view. */
  addressAt(place: number): Uint8Array;
  /** Lets go of what is needed to know an address again; `placeOf` cannot be used after it. */
  seal(): void;
}

interface Shard {
  /** The place and 1; 0 where there is none. */
  slots: Uint32Array;
  used: number;
}

const BLOCK_BITS = 12;
const PER_BLOCK = 2 ** BLOCK_BITS;
const IN_BLOCK = PER_BLOCK - 1;
const SHARD_BITS = 8;
const FIRST_SIZE = 16;
const FIRST_PER_BLOCK = 16;

/** Accounts for which the block of a place is made: the first one grows with them, because most tokens have few. */
export function sizeOfBlock(place: number): number {
  return place < PER_BLOCK ? Math.max(FIRST_PER_BLOCK, 2 ** (32 - Math.clz32(place))) : PER_BLOCK;
}

/** `hashOf`: 32 bits of an address, the same for the same address. */
export function createAccountPlaces(hashOf: (address: Uint8Array) => number = secretHash()): AccountPlaces {
  const blocks: Uint8Array[] = [];
  /** Made as accounts come; undefined once they are sealed. */
  let shards: Shard[] | undefined = [];
  let count = 0;

  function addressAt(place: number): Uint8Array {
    const block = blocks[place >>> BLOCK_BITS];
    if (block === undefined || place >= count) throw new RangeError(`there is no account at ${place}`);
    const at = (place & IN_BLOCK) * ADDRESS_SIZE;
    return block.subarray(at, at + ADDRESS_SIZE);
  }

  function append(address: Uint8Array): number {
    const place = count;
    const at = (place & IN_BLOCK) * ADDRESS_SIZE;
    const former = blocks[place >>> BLOCK_BITS];
    const block = at === (former?.length ?? 0) ? enlargedBlock(former, sizeOfBlock(place)) : former;
    if (block !== undefined) blocks[place >>> BLOCK_BITS] = block;
    block?.set(address, at);
    count += 1;
    return place;
  }

  function grow(shard: Shard): void {
    const former = shard.slots;
    shard.slots = new Uint32Array(2 * former.length);
    for (const entry of former) {
      if (entry === 0) continue;
      let slot = hashOf(addressAt(entry - 1)) >>> SHARD_BITS;
      const mask = shard.slots.length - 1;
      while (shard.slots[slot & mask] !== 0) slot += 1;
      shard.slots[slot & mask] = entry;
    }
  }

  return {
    get count() {
      return count;
    },
    placeOf(address) {
      const hash = hashOf(address);
      if (shards === undefined) throw new Error('the places are sealed');
      const number = hash & (2 ** SHARD_BITS - 1);
      const shard = shards[number] ?? emptyShard();
      shards[number] = shard;
      const mask = shard.slots.length - 1;
      let slot = hash >>> SHARD_BITS;
      for (;;) {
        const entry = shard.slots[slot & mask] ?? 0;
        if (entry === 0) break;
        if (isAt(blocks, entry - 1, address)) return entry - 1;
        slot += 1;
      }
      const place = append(address);
      shard.slots[slot & mask] = place + 1;
      shard.used += 1;
      if (4 * shard.used >= 3 * shard.slots.length) grow(shard);
      return place;
    },
    addressAt,
    seal() {
      shards = undefined;
    },
  };
}

/** Byte by byte: a view for each comparison would take longer. */
function isAt(blocks: readonly Uint8Array[], place: number, address: Uint8Array): boolean {
  const block = blocks[place >>> BLOCK_BITS];
  const at = (place & IN_BLOCK) * ADDRESS_SIZE;
  for (let index = 0; index < ADDRESS_SIZE; index++) if (block?.[at + index] !== address[index]) return false;
  return true;
}

function enlargedBlock(former: Uint8Array | undefined, size: number): Uint8Array {
  const block = new Uint8Array(size * ADDRESS_SIZE);
  block.set(former ?? []);
  return block;
}

function emptyShard(): Shard {
  return { slots: new Uint32Array(FIRST_SIZE), used: 0 };
}

/** Nobody outside can say which addresses share a slot. */
export function secretHash(
  [seed = 0] = crypto.getRandomValues(new Uint32Array(1)),
): (address: Uint8Array) => number {
  return (address) => hashOfAddress(address, seed);
}

/** 32 bits of all bytes of an address. */
function hashOfAddress(address: Uint8Array, seed: number): number {
  let hash = seed;
  for (let at = 0; at < ADDRESS_SIZE; at += 4) {
    const word =
      (address[at] ?? 0) |
      ((address[at + 1] ?? 0) << 8) |
      ((address[at + 2] ?? 0) << 16) |
      ((address[at + 3] ?? 0) << 24);
    hash = Math.imul(hash ^ word, 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  hash = Math.imul(hash, 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
