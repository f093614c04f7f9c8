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
 * one change, unless the document enters or leaves a list on the way: lists are in the order of entering, and must come
 * out the same whether events are folded one by one or many at once.
 */
export function foldEvents(
  projection: Projection,
  stored: ReadonlyMap<string, StoredDocument>,
  events: readonly Recorded[],
): readonly DocumentChange[] {
  const changes: DocumentChange[] = [];
  const lastOf = new Map<string, number>();
  for (const event of events) {
    const handler = projection.on[event.type];
    if (handler === undefined) continue;
    for (const key of keysOfOne(projection, event)) {
      const last = lastOf.get(key);
      const changed = last === undefined ? undefined : changes[last];
      const before: DocumentChange | StoredDocument | undefined = changed ?? stored.get(key);
      if (before !== undefined && before.position >= event.position) continue;
      const document: Document | undefined = handler.apply(before?.document, event);
      if (document === undefined && before === undefined) continue;
      const change = { key, position: event.position, document };
      if (last !== undefined && staysInPlace(projection, changed?.document, document)) {
        changes[last] = change;
      } else {
        lastOf.set(key, changes.push(change) - 1);
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
