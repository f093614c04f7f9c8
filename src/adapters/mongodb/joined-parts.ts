/** Which parts of a commit are written together. Pure. */
import type { Position } from '../../kernel/ports/event-store.ts';
import type { CommitPart } from './commit-part.ts';

/** By collection, in the order of the commit. */
export function partsByCollection(parts: readonly CommitPart[]): ReadonlyMap<string, readonly CommitPart[]> {
  const byName = new Map<string, readonly CommitPart[]>();
  for (const part of parts) {
    const { name } = part.collection;
    byName.set(name, joined(byName.get(name) ?? [], part));
  }
  return byName;
}

/** A checkpoint that comes after its changes is written with them: one round trip less. */
function joined(parts: readonly CommitPart[], part: CommitPart): readonly CommitPart[] {
  const last = parts.at(-1);
  const isSameFilling =
    last?.collection.version === part.collection.version &&
    last.generation?.version === part.generation?.version &&
    last.generation?.generation === part.generation?.generation;
  if (last === undefined || !isSameFilling || part.changes.length > 0) return [...parts, part];
  const checkpoint = laterOf(last.checkpoint, part.checkpoint);
  return [...parts.slice(0, -1), { ...last, checkpoint }];
}

function laterOf(one: Position | undefined, other: Position | undefined): Position | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one > other ? one : other;
}
