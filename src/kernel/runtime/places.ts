/** Bounds the work that callers can have under way: in all, and by network, so that no single network takes every place. */
import { holdsMost, isScarce } from './fair-supply.ts';

/** A network, wallet or partner under which a caller is counted. */
export interface CountedKey {
  readonly name: string;
  /** How many times the quota of a single caller it has. */
  readonly times: number;
}

export interface Places {
  /**
   * Takes a place until the returned function is called. Throws when there is none.
   *
   * @param sources the networks of the caller, narrowest first; at least one
   */
  take(sources: readonly CountedKey[]): () => void;
}

export interface PlacesOptions {
  readonly maximum: number;
  readonly perSource: number;
  /** Thrown when all places are taken, or few are free and the caller's widest network holds the most. */
  readonly full: () => Error;
  /** Thrown when a network has as many as it may. */
  readonly tooMany: (most: number) => Error;
}

export function createPlaces({ maximum, perSource, full, tooMany }: PlacesOptions): Places {
  const takenFrom = new Map<string, number>();
  /** The same for the widest network of each caller alone. */
  const takenFromWidest = new Map<string, number>();
  let taken = 0;
  return {
    take(sources) {
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
