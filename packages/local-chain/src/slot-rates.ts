/**
 * Computes the slot at a time, and a slot's block height. A chain is a sequence of periods. All slots of a period have
 * the same length, and each period starts when the chain leaves the previous one. Slots skipped between two periods
 * never have a block.
 */

/** Period: from `firstSlot` on, which started at `startedAt` (Unix ms), a slot takes `slotMilliseconds`. */
export interface SlotRate {
  readonly firstSlot: number;
  /** Height of the block in the first slot. The previous period ends below it, because its later slots were skipped. */
  readonly firstHeight: number;
  readonly startedAt: number;
  readonly slotMilliseconds: number;
}

/** Periods in order; the first starts at slot 0. */
export type SlotRates = readonly SlotRate[];

export function slotAt(rates: SlotRates, now: number): number {
  const rate = newest(rates);
  return Math.max(
    rate.firstSlot,
    rate.firstSlot + Math.floor((now - rate.startedAt) / rate.slotMilliseconds),
  );
}

/** Start of a slot in Unix milliseconds. */
export function startOf(rates: SlotRates, slot: number): number {
  const rate = rates.findLast((candidate) => candidate.firstSlot <= slot) ?? newest(rates);
  return rate.startedAt + (slot - rate.firstSlot) * rate.slotMilliseconds;
}

/** Height of the latest block up to a slot. */
export function heightAt(rates: SlotRates, slot: number): number {
  const { height, nextHeight } = counted(rates, slot);
  return Math.min(height, nextHeight - 1);
}

export function hasBlock(rates: SlotRates, slot: number): boolean {
  const { height, nextHeight } = counted(rates, slot);
  return height < nextHeight;
}

export function slotOfHeight(rates: SlotRates, height: number): number {
  const rate = rates.findLast((candidate) => candidate.firstHeight <= height) ?? newest(rates);
  return rate.firstSlot + height - rate.firstHeight;
}

/** Rate of a chain that leaves slot `left` now and continues at `slot` without blocks in between. */
export function rateAfterSkipping(rates: SlotRates, left: number, slot: number, now: number): SlotRate {
  return {
    firstSlot: slot,
    firstHeight: heightAt(rates, left) + 1,
    // Block times do not go back if the wall clock was set back.
    startedAt: Math.max(now, startOf(rates, left)),
    slotMilliseconds: newest(rates).slotMilliseconds,
  };
}

function counted(rates: SlotRates, slot: number): { readonly height: number; readonly nextHeight: number } {
  const index = rates.findLastIndex((candidate) => candidate.firstSlot <= slot);
  const rate = rates[index] ?? newest(rates);
  return {
    height: rate.firstHeight + slot - rate.firstSlot,
    nextHeight: rates[index + 1]?.firstHeight ?? Number.POSITIVE_INFINITY,
  };
}

function newest(rates: SlotRates): SlotRate {
  const rate = rates.at(-1);
  if (rate === undefined) throw new Error('a chain must have at least one slot rate');
  return rate;
}
