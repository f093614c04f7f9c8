/** The newest slots that any node of a cluster has shown, so that a node that is behind cannot make the service go back in time. */
import type { Commitment } from '../../kernel/ports/chain.ts';

export interface SeenSlots {
  /** What an answer of this commitment must have reached; undefined before the first one. */
  least(commitment: Commitment): bigint | undefined;
  saw(commitment: Commitment, slot: bigint): void;
}

export function createSeenSlots(): SeenSlots {
  const newest = new Map<Commitment, bigint>();
  return {
    least: (commitment) => newest.get(commitment),
    saw(commitment, slot) {
      const before = newest.get(commitment);
      if (before === undefined || slot > before) newest.set(commitment, slot);
    },
  };
}

/**
 * A single node is not measured by what it has shown. Behind its address there may be several nodes, of which the latest
 * would make every read by another wait. What must not be answered from before a slot names the slot.
 */
export const unseenSlots: SeenSlots = { least: () => undefined, saw: () => undefined };

/** Undefined if none is given. */
export function latestOf(...slots: readonly (bigint | undefined)[]): bigint | undefined {
  return slots.reduce(
    (latest, slot) => (slot === undefined || (latest ?? -1n) > slot ? latest : slot),
    undefined,
  );
}
