/** A finding of the audit: expected and found values of a violated rule, and the location to investigate. */
import type { RecordedEvent } from '../../kernel/ports/event-store.ts';
import type { Recorded } from '../../kernel/runtime/event-codec.ts';

export type EventPlace = Pick<RecordedEvent, 'id' | 'type' | 'stream' | 'revision' | 'position'>;

/** Location to investigate, with every available identifier. */
export interface Place {
  readonly event?: EventPlace;
  readonly account?: string;
  readonly signature?: string;
  readonly tokenId?: string;
  readonly runId?: string;
  readonly document?: { readonly collection: string; readonly key: string };
  /** Recorded time of the event; ISO 8601, UTC. */
  readonly time?: string;
}

export interface Finding extends Place {
  /** The violated rule, in a sentence. */
  readonly what: string;
  readonly expected: string;
  readonly found: string;
}

/** Collects the findings of a check. */
export interface Findings {
  equal(what: string, expected: bigint | string, found: bigint | string, place?: Place): void;
  atLeast(what: string, least: bigint, found: bigint, place?: Place): void;
  add(finding: Finding): void;
}

/** Findings that are passed to `add` immediately. */
export function findingsInto(add: (finding: Finding) => void): Findings {
  return {
    add,
    equal(what, expected, found, place = {}) {
      if (expected !== found) add({ what, expected: `${expected}`, found: `${found}`, ...place });
    },
    atLeast(what, least, found, place = {}) {
      if (found < least) add({ what, expected: `at least ${least}`, found: `${found}`, ...place });
    },
  };
}

export function placeOf({ id, type, stream, revision, position }: EventPlace): EventPlace {
  return { id, type, stream, revision, position };
}

/** Place of a decoded event, with its recorded time. */
export function recordedAt(event: Recorded): Place {
  const { eventId, metadata } = event;
  return { event: placeOf({ ...event, id: eventId }), time: metadata.occurredAt };
}
