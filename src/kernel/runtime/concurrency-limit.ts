/** Limits callers' concurrent work: in total, and per network, so that no single network uses the whole capacity. */

/** Network, wallet or partner under which a caller is counted. */
export interface CountedKey {
  readonly name: string;
  /** Multiple of a single caller's quota. */
  readonly times: number;
}

export function createConcurrencyLimit({
  maximum,
  perSource,
  full,
  tooMany,
}: {
  readonly maximum: number;
  readonly perSource: number;
  /** Thrown if all slots are in use, or if few are free and the caller's widest network already holds the most. */
  readonly full: () => Error;
  /** Thrown if a network has reached its limit. */
  readonly tooMany: (most: number) => Error;
}) {
  const heldBy = new Map<string, number>();
  /** Counts for the widest network of each caller only. */
  const heldByWidest = new Map<string, number>();
  let taken = 0;
  return {
    /**
     * Acquires a slot until the returned function is called. Throws if none is available. `sources`: the caller's networks,
     * narrowest first; at least one.
     */
    take(sources: readonly CountedKey[]): () => void {
      for (const { name, times } of sources) {
        const most = perSource * times;
        if ((heldBy.get(name) ?? 0) >= most) throw tooMany(most);
      }
      const widest = sources.at(-1)?.name ?? '';
      if (taken >= maximum || (isScarce({ used: taken, maximum }) && holdsMost(widest, heldByWidest))) {
        throw full();
      }
      const change = (by: 1 | -1) => {
        taken += by;
        for (const { name } of sources) add(heldBy, name, by);
        add(heldByWidest, widest, by);
      };
      change(1);
      return () => change(-1);
    },
  };
}

function add(counts: Map<string, number>, name: string, by: 1 | -1): void {
  const left = (counts.get(name) ?? 0) + by;
  if (left === 0) counts.delete(name);
  else counts.set(name, left);
}

/** True if at most half of the units are free, so that one network could soon take all of them. */
export function isScarce({ used, maximum }: { readonly used: number; readonly maximum: number }): boolean {
  return used * 2 >= maximum;
}

/**
 * True if no other network holds more units. Such a network gets no more while units are scarce. False for a network without
 * units, so that it gets a unit while any is free. `held`: units by network.
 */
export function holdsMost(network: string, held: ReadonlyMap<string, number>): boolean {
  const own = held.get(network) ?? 0;
  return own > 0 && own >= Math.max(...held.values());
}

export function countByNetwork(networks: Iterable<string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const network of networks) counts.set(network, (counts.get(network) ?? 0) + 1);
  return counts;
}
