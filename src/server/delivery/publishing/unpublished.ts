/** Finds the first event after a position that has an outcome. */

import type { EventStore, Position } from '../../../kernel/ports/event-store.ts';
import { outcomeOfType } from '../../../outcomes/outcome-of-type.ts';

/** The time it was recorded (ISO 8601); undefined if there is none. */
export async function findUnpublished(options: {
  readonly store: EventStore;
  readonly after: Position;
  readonly categories: readonly string[];
  readonly signal: AbortSignal;
}): Promise<string | undefined> {
  const { store, ...wanted } = options;
  for await (const message of store.subscribe(wanted)) {
    if (message.kind === 'caught-up') return undefined;
    if (message.kind !== 'event') continue;
    const { type, metadata } = message.event;
    if (outcomeOfType(type) !== undefined && typeof metadata.occurredAt === 'string')
      return metadata.occurredAt;
  }
  return undefined;
}
