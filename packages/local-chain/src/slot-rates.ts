/**
 * Computes the slot at a time, and a slot's block height. A chain is a sequence of stretches; within a stretch all
 * slots have the same length, and each stretch begins when the chain leaves the one before. Slots skipped between two
 * stretches never have a block.
 */

/** From `firstSlot` on, which began at `startedAt` (Unix ms), a slot takes `slotMilliseconds`. */
export interface SlotRate {
  readonly firstSlot: number;
  /** The height of the block in the first slot. The stretch before ends below it: its later slots were skipped. */
  readonly firstHeight: number;
  readonly startedAt: number;
  readonly slotMilliseconds: number;
}

/** In order; the first begins at slot 0. */
export type SlotRates = readonly SlotRate[];

export function slotAt(rates: SlotRates, now: number): number {
  const rate = newest(rates);
  return Math.max(
    rate.firstSlot,
    rate.firstSlot + Math.floor((now - rate.startedAt) / rate.slotMilliseconds),
  );
}

/** Unix milliseconds when a slot began. */
export function startOf(rates: SlotRates, slot: number): number {
  const rate = rates.findLast((candidate) => candidate.firstSlot <= slot) ?? newest(rates);
  return rate.startedAt + (slot - rate.firstSlot) * rate.slotMilliseconds;
}

/** The height of the latest block up to a slot. */
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

/** The rate of a chain that leaves slot `left` now and continues at `slot` without a block in between. */
export function rateAfterSkipping(rates: SlotRates, left: number, slot: number, now: number): SlotRate {
  return {
    firstSlot: slot,
    firstHeight: heightAt(rates, left) + 1,
    // The wall clock may have been set back; block times do not go back with it.
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
  if (rate === undefined) throw new Error('a chain without slots');
  return rate;
}
