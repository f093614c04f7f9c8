/** Chance that can be had again: the same numbers for the same seed and index, whatever was drawn elsewhere. */
import { createHash } from 'node:crypto';

export interface Random {
  /** From 0 up to, but not including, the number. */
  below(limit: number): number;
  /** Both ends included. */
  between(least: number, most: number): number;
  chance(probability: number): boolean;
  /** Throws for an empty list. */
  pick<Item>(items: readonly Item[]): Item;
  bytes(length: number): Buffer;
}

export function createRandom(seed: string, index: number): Random {
  let state = createHash('sha256').update(`${seed}:${index}`).digest().readUInt32LE(0);

  // mulberry32: 32 bits of state are plenty for one request.
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    between: (least, most) => least + below(most - least + 1),
    chance: (probability) => next() < probability,
    pick(items) {
      if (items.length === 0) throw new RangeError('there is nothing to pick from');
      return items[below(items.length)] as (typeof items)[number];
    },
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
  };
}
