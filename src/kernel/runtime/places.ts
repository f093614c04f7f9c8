/** Bounds the work that callers can have under way: in all, and from one source, so that no single network takes every place. */

export interface Places {
  /** Takes a place until the returned function is called. Throws when there is none. */
  take(source: string): () => void;
}

export interface PlacesOptions {
  readonly maximum: number;
  readonly perSource: number;
  /** Thrown when all places are taken. */
  readonly full: () => Error;
  /** Thrown when the source has as many as it may. */
  readonly tooMany: () => Error;
}

export function createPlaces({ maximum, perSource, full, tooMany }: PlacesOptions): Places {
  const takenFrom = new Map<string, number>();
  let taken = 0;
  return {
    take(source) {
      const own = takenFrom.get(source) ?? 0;
      if (own >= perSource) throw tooMany();
      if (taken >= maximum) throw full();
      taken += 1;
      takenFrom.set(source, own + 1);
      return () => {
        taken -= 1;
        const left = (takenFrom.get(source) ?? 1) - 1;
        if (left === 0) takenFrom.delete(source);
        else takenFrom.set(source, left);
      };
    },
  };
}
