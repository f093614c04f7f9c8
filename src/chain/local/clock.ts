/** Slots, blockhashes and block times: all follow from the genesis hash and the wall clock, so none is stored. */
import { base58, sameBytes, sha256 } from './bytes.ts';
import type { Commitment } from './rpc-params.ts';

/** A cluster drops a blockhash when 150 blocks are on top of it. */
export const BLOCKHASH_LIFETIME = 150;
/** How many blocks on top of a block make it final. */
export const FINALITY_DEPTH = 32;
export const SLOTS_PER_EPOCH = 432_000;

/** From `firstSlot` on, which began at `startedAt` (Unix ms), a slot takes `slotMilliseconds`. */
export interface SlotRate {
  readonly firstSlot: number;
  readonly startedAt: number;
  readonly slotMilliseconds: number;
}

const REMEMBERED_BLOCKHASHES = 1_024;

export class SlotClock {
  readonly #genesisHash: Uint8Array;
  readonly #rates: readonly SlotRate[];
  readonly #now: () => number;
  readonly #hashes = new Map<number, Uint8Array>();
  #newest: number;

  /** `rates` in order, at least one. The clock never goes below `atLeast`, even when the wall clock is set back. */
  constructor(
    genesisHash: Uint8Array,
    rates: readonly SlotRate[],
    atLeast: number,
    now: () => number = Date.now,
  ) {
    this.#genesisHash = genesisHash;
    this.#rates = rates;
    this.#newest = atLeast;
    this.#now = now;
  }

  /** The newest slot, or the newest that is final. A block's height is its slot: none is skipped. */
  slot(commitment: Commitment = 'confirmed'): number {
    this.#newest = Math.max(this.#newest, slotAt(this.#rates, this.#now()));
    return commitment === 'finalized' ? Math.max(0, this.#newest - FINALITY_DEPTH) : this.#newest;
  }

  /** Unix seconds at which a slot began. */
  blockTime(slot: number): number {
    const rate = this.#rates.findLast((candidate) => candidate.firstSlot <= slot) ?? this.#rates[0];
    if (rate === undefined) throw new Error('a clock without a rate');
    return Math.floor((rate.startedAt + (slot - rate.firstSlot) * rate.slotMilliseconds) / 1_000);
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

  /** The slot of a blockhash that is still valid in the block at `at`; undefined when it is unknown or too old. */
  slotOfBlockhash(blockhash: Uint8Array, at: number): number | undefined {
    for (let slot = at; slot >= Math.max(0, at - BLOCKHASH_LIFETIME); slot -= 1) {
      if (sameBytes(this.blockhash(slot), blockhash)) return slot;
    }
    return undefined;
  }
}

export function slotAt(rates: readonly SlotRate[], now: number): number {
  const rate = rates.at(-1);
  if (rate === undefined) throw new Error('a clock without a rate');
  return Math.max(
    rate.firstSlot,
    rate.firstSlot + Math.floor((now - rate.startedAt) / rate.slotMilliseconds),
  );
}
