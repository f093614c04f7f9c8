/** Folds events into a projection's documents, skipping what a document has seen already. Pure. */
import type { Document, DocumentChange, StoredDocument } from '../ports/read-model.ts';
import type { Projection } from './define-projection.ts';
import type { Recorded } from './event-codec.ts';

export function keysOf(projection: Projection, events: readonly Recorded[]): readonly string[] {
  const keys = new Set<string>();
  for (const event of events) for (const key of keysOfOne(projection, event)) keys.add(key);
  return [...keys];
}

/** The changes that the events make, given the stored documents of `keysOf`. */
export function foldEvents(
  projection: Projection,
  stored: ReadonlyMap<string, StoredDocument>,
  events: readonly Recorded[],
): readonly DocumentChange[] {
  const changes = new Map<string, DocumentChange>();
  for (const event of events) {
    const handler = projection.on[event.type];
    if (handler === undefined) continue;
    for (const key of keysOfOne(projection, event)) {
      const before: DocumentChange | StoredDocument | undefined = changes.get(key) ?? stored.get(key);
      if (before !== undefined && before.position >= event.position) continue;
      const document: Document | undefined = handler.apply(before?.document, event);
      if (document === undefined && before === undefined) continue;
      changes.set(key, { key, position: event.position, document });
    }
  }
  return [...changes.values()];
}

function keysOfOne(projection: Projection, event: Recorded): readonly string[] {
  const key = projection.on[event.type]?.key(event);
  if (key === undefined) return [];
  return typeof key === 'string' ? [key] : key;
}
