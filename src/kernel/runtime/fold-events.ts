/** Folds events into a projection's documents, skipping what a document has already seen. Pure. */
import type { Document, DocumentChange, StoredDocument } from '../ports/read-model.ts';
import type { Projection } from './define-projection.ts';
import type { Recorded } from './event-codec.ts';

export function keysOf(projection: Projection, events: readonly Recorded[]): readonly string[] {
  const keys = new Set<string>();
  for (const event of events) for (const key of keysOfOne(projection, event)) keys.add(key);
  return [...keys];
}

/**
 * The changes that the events make, in order, given the stored documents of `keysOf`. All events of one document become
 * one change, but one by which it first exists, or enters or leaves a list, stays a change of its own: read models order
 * documents by the positions of these, which must be the same whether events are folded one by one or many at once.
 */
export function foldEvents(
  projection: Projection,
  stored: ReadonlyMap<string, StoredDocument>,
  events: readonly Recorded[],
): readonly DocumentChange[] {
  const changes: DocumentChange[] = [];
  /** The last change of each document; a fixed one is not replaced by the next. */
  const lastOf = new Map<string, { readonly index: number; readonly isFixed: boolean }>();
  for (const event of events) {
    const handler = projection.on[event.type];
    if (handler === undefined) continue;
    for (const key of keysOfOne(projection, event)) {
      const last = lastOf.get(key);
      const before = last === undefined ? stored.get(key) : changes[last.index];
      if (before !== undefined && before.position >= event.position) continue;
      const document: Document | undefined = handler.apply(before?.document, event);
      if (document === undefined && before === undefined) continue;
      const change = { key, position: event.position, document };
      const isFixed = before === undefined || !staysInPlace(projection, before.document, document);
      if (last === undefined || last.isFixed || isFixed) {
        lastOf.set(key, { index: changes.push(change) - 1, isFixed });
      } else {
        changes[last.index] = change;
      }
    }
  }
  return changes;
}

function staysInPlace(
  { lists = {} }: Projection,
  before: Document | undefined,
  after: Document | undefined,
): boolean {
  return Object.values(lists).every((placeOf) => (before && placeOf(before)) === (after && placeOf(after)));
}

function keysOfOne(projection: Projection, event: Recorded): readonly string[] {
  const key = projection.on[event.type]?.key(event);
  if (key === undefined) return [];
  return typeof key === 'string' ? [key] : key;
}
