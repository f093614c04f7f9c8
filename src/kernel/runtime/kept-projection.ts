/** A projection that the projector keeps, with the generations of its documents; and what queries may expect of them. */
import type { Position } from '../ports/event-store.ts';
import { isFiled, type Projection } from './define-projection.ts';
import type { Target } from './projection-target.ts';

/** A projection's own generation, and the one that is read until that has caught up. */
export interface Kept {
  readonly projection: Projection;
  /** The stream categories of the events that it folds. */
  readonly categories: readonly string[];
  own: Target | undefined;
  former: Target | undefined;
  isRenewing: boolean;
}

/** `categoryOfType`: the stream category of each event type. Throws when no stream has an event that it folds. */
export function newKept(projection: Projection, categoryOfType: ReadonlyMap<string, string>): Kept {
  const categories = Object.keys(projection.on).map((type) => {
    const category = categoryOfType.get(type);
    if (category === undefined)
      throw new Error(`the projection "${projection.name}" folds "${type}", which no stream has`);
    return category;
  });
  return {
    projection,
    categories: [...new Set(categories)],
    own: undefined,
    former: undefined,
    isRenewing: false,
  };
}

export function targetsOf(all: readonly Kept[]): readonly Target[] {
  return all.flatMap(({ own, former }) => [own ?? [], former ?? []].flat());
}

/** What queries read: the former one also in the moment in which its successor goes live. */
export function servedOf({ own, former }: Kept): Target | undefined {
  return [own, former].find((target) => target?.isServed && target.state !== 'failed');
}

/** Whether what queries read is kept up to date. */
export function isUpToDate(kept: Kept): boolean {
  const target = servedOf(kept);
  return target?.state === 'live' && target.error === undefined;
}

/** Whether a start need not wait for it: one that reads files is built beside everything else. */
export function isBuilt({ projection, own }: Kept): boolean {
  return isFiled(projection) || (own !== undefined && own.state !== 'building');
}

/** Whether queries show the position, or never will: neither one that has stopped is waited for, nor one that reads files. */
export function hasReached(kept: Kept, position: Position): boolean {
  if (isFiled(kept.projection)) return true;
  const target = servedOf(kept);
  if (target === undefined) return kept.own?.state === 'failed';
  // Nothing is written to it any more; whoever waits goes on as soon as its successor is read.
  if (target.retired) return false;
  return target.position >= position;
}
