/** The newest slots that any node of a cluster has shown, so that a node that is behind cannot make the service go back in time. */
import type { Commitment } from '../../ports/chain.ts';

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

/** One node is its own measure: behind its address there may be several, and what they show is judged by who asks. */
export const unseenSlots: SeenSlots = { least: () => undefined, saw: () => undefined };
