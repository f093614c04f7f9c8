/** Everything that a run draws comes from one seed, so that a failure is repeated by its seed. */

export interface Random {
  /** At least 0, less than 1. */
  next(): number;
  /** A whole number from 0 up to and without `bound`. */
  below(bound: number): number;
  /** A whole number between the two, both included. */
  between(least: number, most: number): number;
  chance(probability: number): boolean;
  /** Throws a RangeError if there is nothing to choose from. */
  pick<Item>(items: readonly Item[]): Item;
  shuffled<Item>(items: readonly Item[]): Item[];
  /** Draws of its own under a name: what one part draws does not move what the others draw. */
  of(name: string): Random;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (bound: number) => Math.floor(next() * bound);
  return {
    next,
    below,
    between: (least, most) => least + below(most - least + 1),
    chance: (probability) => next() < probability,
    pick(items) {
      const item = items[below(items.length)];
      if (item === undefined) throw new RangeError('there is nothing to choose from');
      return item;
    },
    shuffled(items) {
      const result = [...items];
      for (let last = result.length - 1; last > 0; last -= 1) {
        const other = below(last + 1);
        const [one, two] = [result[last], result[other]];
        if (one === undefined || two === undefined) continue;
        [result[last], result[other]] = [two, one];
      }
      return result;
    },
    of(name) {
      let hash = seed >>> 0;
      for (const letter of name) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193) >>> 0;
      return createRandom(hash);
    },
  };
}
