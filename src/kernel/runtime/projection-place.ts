/** Decides where the targets of a projection start, given what the read model has and what of it the log has made. */
import { type Position, START } from '../ports/event-store.ts';
import type { Generation, ReadModel } from '../ports/read-model.ts';
import type { Kept } from './kept-projection.ts';
import { newTarget } from './projection-target.ts';

interface FoundDocuments {
  /** Whether the read model's documents come from this log. */
  readonly isKnown: boolean;
  /** Up to here the log is known to be the one that was handled; undefined where nothing beyond the checkpoints is to be doubted. */
  readonly sameUpTo: Position | undefined;
  readonly head: Position;
  readonly checkpoint: Position;
  /** The checkpoint of an older generation that is read until this one is built; undefined without one. */
  readonly servedUpTo: Position | undefined;
}

/** `anew`: the documents are of events that the log lacks, and are removed. */
type Place =
  | { readonly start: 'anew' }
  | { readonly start: 'from'; readonly own: Position; readonly former: Position | undefined };

export function decidePlace({ isKnown, sameUpTo, head, checkpoint, servedUpTo }: FoundDocuments): Place {
  // Another log, or one restored from an older copy.
  if (!isKnown || checkpoint > head || (servedUpTo !== undefined && servedUpTo > head))
    return { start: 'anew' };
  // Beyond the last event known to be the same, the log may hold other events than those that were handled.
  const from = (position: Position) => (sameUpTo !== undefined && sameUpTo < position ? sameUpTo : position);
  return {
    start: 'from',
    own: from(checkpoint),
    former: servedUpTo === undefined ? undefined : from(servedUpTo),
  };
}

/** Looks at what the read model has of the projection, and puts its targets where they start. */
export async function placeTargets(
  kept: Kept,
  readModel: ReadModel,
  log: Pick<FoundDocuments, 'isKnown' | 'sameUpTo' | 'head'>,
): Promise<void> {
  const { projection, categories } = kept;
  const { isKnown, sameUpTo, head } = log;
  const own = await readModel.own(projection);
  const { isLive, checkpoint = START } = own;
  const served = isLive ? undefined : await readModel.served(projection);
  const servedUpTo = served && (served.checkpoint ?? START);
  const placed = decidePlace({ isKnown, sameUpTo, head, checkpoint, servedUpTo });
  if (placed.start === 'anew') {
    const generation = await readModel.renew(projection, 'nothing');
    kept.own = newTarget({ projection, generation, categories, isServed: false });
    return;
  }
  kept.own = newTarget(
    { projection, generation: generationOf(own), categories, isServed: isLive },
    placed.own,
  );
  if (served !== undefined && placed.former !== undefined)
    kept.former = newTarget(
      { projection, generation: generationOf(served), categories, isServed: true },
      placed.former,
    );
}

function generationOf({ version, generation }: Generation): Generation {
  return { version, generation };
}
