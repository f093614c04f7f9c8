/** Which records of a run a batch has paid: one bit each. */
import type { BookedBatch } from './run-books.ts';

export interface PaidPlaces {
  has(record: number): boolean;
  /** False if it was there already. */
  add(record: number): boolean;
}

export function createPaidPlaces(): PaidPlaces {
  let bits = new Uint8Array(1_024);
  const has = (record: number) => ((bits[record >> 3] ?? 0) & (1 << (record & 7))) !== 0;
  return {
    has,
    add(record) {
      if (has(record)) return false;
      const at = record >> 3;
      if (at >= bits.length) {
        const grown = new Uint8Array(2 * (at + 1));
        grown.set(bits);
        bits = grown;
      }
      bits[at] = (bits[at] ?? 0) | (1 << (record & 7));
      return true;
    },
  };
}

export function paidPlaces(batches: readonly BookedBatch[]): PaidPlaces {
  const places = createPaidPlaces();
  for (const { payments } of batches) for (const { record } of payments) places.add(record);
  return places;
}
