/** Slots, blockhashes and block times, derived from the genesis hash, the slot rates and the wall clock. */
import { base58, sameBytes, sha256 } from 'levy-solana-wire';
import type { Commitment } from './rpc-params.ts';
import {
  hasBlock,
  heightAt,
  rateAfterSkipping,
  type SlotRate,
  type SlotRates,
  slotAt,
  slotOfHeight,
  startOf,
} from './slot-rates.ts';

/** Number of later blocks after which a cluster drops a blockhash. */
export const BLOCKHASH_LIFETIME = 150;
/** Number of later blocks that make a block final. */
export const FINALITY_DEPTH = 32;
export const SLOTS_PER_EPOCH = 432_000;

const REMEMBERED_BLOCKHASHES = 1_024;

export function epochOf(slot: number): number {
  return Math.floor(slot / SLOTS_PER_EPOCH);
}

export class SlotClock {
  readonly #genesisHash: Uint8Array;
  readonly #now: () => number;
  readonly #hashes = new Map<number, Uint8Array>();
  #rates: SlotRates;
  #newest: number;

  /** The clock never goes below `atLeast`, even if the wall clock is set back. */
  constructor(genesisHash: Uint8Array, rates: SlotRates, atLeast: number, now: () => number = Date.now) {
    this.#genesisHash = genesisHash;
    this.#rates = rates;
    this.#newest = atLeast;
    this.#now = now;
  }

  /** Latest slot, or latest slot with a final block. Both have a block. */
  slot(commitment: Commitment = 'confirmed'): number {
    this.#newest = Math.max(this.#newest, slotAt(this.#rates, this.#now()));
    return commitment === 'finalized' ? this.finalIn(this.#newest) : this.#newest;
  }

  /** Latest slot whose block is final as of a slot. */
  finalIn(slot: number): number {
    return this.#below(slot, FINALITY_DEPTH);
  }

  /** Height of the latest block up to a slot; skipped slots do not count. */
  height(slot: number): number {
    return heightAt(this.#rates, slot);
  }

  slotOfHeight(height: number): number {
    return slotOfHeight(this.#rates, height);
  }

  /** False for a skipped slot. */
  hasBlock(slot: number): boolean {
    return hasBlock(this.#rates, slot);
  }

  /** Start of a slot in Unix seconds. */
  blockTime(slot: number): number {
    return Math.floor(startOf(this.#rates, slot) / 1_000);
  }

  /** Slot length of the newest period. */
  slotMilliseconds(): number {
    return this.#rates.at(-1)?.slotMilliseconds ?? 0;
  }

  blockhash(slot: number): Uint8Array {
    const known = this.#hashes.get(slot);
    if (known !== undefined) return known;
    const number = Buffer.alloc(8);
    number.writeBigUInt64LE(BigInt(slot));
    const hash = sha256('levy blockhash', this.#genesisHash, number);
    this.#hashes.set(slot, hash);
    if (this.#hashes.size > REMEMBERED_BLOCKHASHES) {
      const [oldest] = this.#hashes.keys();
      if (oldest !== undefined) this.#hashes.delete(oldest);
    }
    return hash;
  }

  blockhashText(slot: number): string {
    return base58(this.blockhash(slot));
  }

  /** Height of the last block that accepts transactions with the blockhash of a slot. */
  lastValidHeight(slot: number): number {
    return this.height(slot) + BLOCKHASH_LIFETIME;
  }

  /** Oldest slot whose blockhash is still valid in the block at `at`. */
  oldestValidSlot(at: number): number {
    return this.#below(at, BLOCKHASH_LIFETIME);
  }

  /** Slot of a blockhash that is still valid in the block at `at`; undefined if it is unknown or too old. */
  slotOfBlockhash(blockhash: Uint8Array, at: number): number | undefined {
    const newest = this.height(at);
    for (let height = newest; height >= Math.max(0, newest - BLOCKHASH_LIFETIME); height -= 1) {
      const slot = this.slotOfHeight(height);
      if (sameBytes(this.blockhash(slot), blockhash)) return slot;
    }
    return undefined;
  }

  /** Rate for `follow` that continues at a later slot from now on, without blocks in between. */
  skippingTo(slot: number): SlotRate {
    return rateAfterSkipping(this.#rates, this.slot(), slot, this.#now());
  }

  follow(rate: SlotRate): void {
    this.#rates = [...this.#rates, rate];
  }

  #below(slot: number, blocks: number): number {
    return this.slotOfHeight(Math.max(0, this.height(slot) - blocks));
  }
}
