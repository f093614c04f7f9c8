/** Bounds the work that callers can have under way: in all, and by network, so that no single network takes every place. */

/** A network, wallet or partner under which a caller is counted. */
export interface CountedKey {
  readonly name: string;
  /** A multiple of the quota of a single caller. */
  readonly times: number;
}

export function createPlaces({
  maximum,
  perSource,
  full,
  tooMany,
}: {
  readonly maximum: number;
  readonly perSource: number;
  /** Thrown when all places are taken, or few are free and the caller's widest network holds the most. */
  readonly full: () => Error;
  /** Thrown when a network has as many as it may. */
  readonly tooMany: (most: number) => Error;
}) {
  const takenFrom = new Map<string, number>();
  /** The same for the widest network of each caller alone. */
  const takenFromWidest = new Map<string, number>();
  let taken = 0;
  return {
    /**
     * Takes a place until the returned function is called. Throws when there is none. `sources`: the networks of the caller,
     * narrowest first; at least one.
     */
    take(sources: readonly CountedKey[]): () => void {
      for (const { name, times } of sources) {
        const most = perSource * times;
        if ((takenFrom.get(name) ?? 0) >= most) throw tooMany(most);
      }
      const widest = sources.at(-1)?.name ?? '';
      if (taken >= maximum || (isScarce({ used: taken, maximum }) && holdsMost(widest, takenFromWidest))) {
        throw full();
      }
      const change = (by: 1 | -1) => {
        taken += by;
        for (const { name } of sources) add(takenFrom, name, by);
        add(takenFromWidest, widest, by);
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

/** True if so few units are free that one network could take the rest from all others. */
export function isScarce({ used, maximum }: { readonly used: number; readonly maximum: number }): boolean {
  return used * 2 >= maximum;
}

/**
 * While a supply is scarce, the network that holds most is refused its next unit; of several that hold as many, each is. A
 * network that holds nothing is never refused, so that a new one gets a unit while there is one. `held`: units by network.
 */
export function holdsMost(network: string, held: ReadonlyMap<string, number>): boolean {
  const own = held.get(network) ?? 0;
  return own > 0 && own >= Math.max(...held.values());
}

/** Counts units by network. */
export function countByNetwork(networks: Iterable<string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const network of networks) counts.set(network, (counts.get(network) ?? 0) + 1);
  return counts;
}
