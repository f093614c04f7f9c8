/** Reads the events that have an outcome: the feed and the bus both deliver exactly these. */
import { internalEvents, outcomes } from '../outcomes/index.ts';
import { outcomeOfType } from '../outcomes/outcome-of-type.ts';
import type { RecordedEvent } from '../ports/event-store.ts';
import type { EventCodec, Recorded } from '../runtime/event-codec.ts';

export interface OutcomeEvent {
  readonly event: Recorded;
  readonly outcome: NonNullable<ReturnType<typeof outcomeOfType>>;
}

/** Undefined for an event without an outcome. Throws `EventShapeError` for an event that cannot be read. */
export function readOutcomeEvent(codec: EventCodec, stored: RecordedEvent): OutcomeEvent | undefined {
  if (Object.hasOwn(internalEvents, stored.type)) return undefined;
  const event = codec.decode(stored);
  const outcome = outcomeOfType(event.type);
  return outcome && { event, outcome };
}

/** The categories of streams whose events have outcomes, by the category of each event type. */
export function outcomeCategories(categoryOfType: ReadonlyMap<string, string>): readonly string[] {
  return [...new Set(outcomes.flatMap(({ of }) => categoryOfType.get(of) ?? []))];
}
