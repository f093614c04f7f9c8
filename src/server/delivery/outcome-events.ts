/** Events with outcomes, which both the feed and the bus deliver, and the token that each concerns. */

import { LRUCache } from 'lru-cache';
import type { EventStore } from '../../kernel/ports/event-store.ts';
import { EventUndecodable, type Recorded } from '../../kernel/runtime/event-codec.ts';
import type { EventReader } from '../../kernel/runtime/event-reader.ts';
import type { EventAbout } from '../../outcomes/cloud-event.ts';
import { internalEvents, outcomeOfType, outcomes } from '../../outcomes/index.ts';
import { draft } from '../../streams/draft.ts';
import type { LevyEvent } from '../../streams/index.ts';
import { token } from '../../streams/token.ts';

/** True if an event of this type may have an outcome, including types that this release does not have. */
export function mayHaveOutcome(type: string): boolean {
  return !Object.hasOwn(internalEvents, type);
}

/** Stream categories whose events have outcomes. */
export function outcomeCategories(categoryOfType: ReadonlyMap<string, string>): readonly string[] {
  return [...new Set(outcomes.flatMap(({ of }) => categoryOfType.get(of) ?? []))];
}

/** Rejects if the store fails. */
export type AboutEvent = (event: Recorded) => Promise<EventAbout>;

const REMEMBERED = 10_000;
/** Used where the first event was quarantined, or cannot be decoded. */
const UNKNOWN: EventAbout = {};

/**
 * Finds the token of an event, and the token's creator. Most events contain only the token's id, and a submission only
 * its draft. Both facts are read from the first event of the token's or the draft's stream, so that every delivery
 * reports the same.
 */
export function createAboutEvent(options: {
  readonly store: Pick<EventStore, 'read'>;
  readonly reader: Pick<EventReader, 'read'>;
}): AboutEvent {
  const { store, reader } = options;
  const known = new LRUCache<string, EventAbout>({ max: REMEMBERED });

  async function lookUp(stream: string): Promise<EventAbout> {
    try {
      for await (const stored of store.read(stream)) {
        const event = await reader.read(stored);
        const about = event && subjectsIn(event as Recorded<LevyEvent>);
        if (about !== undefined) return about;
      }
    } catch (error) {
      if (!(error instanceof EventUndecodable)) throw error;
    }
    return UNKNOWN;
  }

  return async (event) => {
    const own = subjectsIn(event as Recorded<LevyEvent>);
    const stream = streamNamedBy(event);
    if (stream === undefined) return own ?? UNKNOWN;
    const about = own ?? known.get(stream) ?? (await lookUp(stream));
    known.set(stream, about);
    return about;
  };
}

/** Reads the first event of a token or of a draft; undefined for any other event. */
function subjectsIn(event: Recorded<LevyEvent>): EventAbout | undefined {
  switch (event.type) {
    case 'TokenCreated': {
      const { creator, token: created } = event.data;
      const { tokenId, mintAddress, partner } = created;
      return { tokenId, mintAddress, creator, partner };
    }
    case 'DraftIssued': {
      const { creator, subject } = event.data;
      return { tokenId: subject.tokenId, mintAddress: subject.mintAddress, creator };
    }
    default:
      return undefined;
  }
}

/** Stream whose first event contains the token and its creator. */
function streamNamedBy(event: Recorded): string | undefined {
  const { tokenId, transactionId } = Object(outcomeOfType(event.type)?.dataOf(event));
  if (typeof tokenId === 'string') return `${token.category}-${tokenId}`;
  return typeof transactionId === 'string' ? `${draft.category}-${transactionId}` : undefined;
}
