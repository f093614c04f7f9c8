/** Keeps the set of hidden tokens in memory: loads it once, then follows it event by event. */
import { type EventStore, type Position, START } from '../../../kernel/ports/event-store.ts';
import { CollectionNotLive, type ReadModel } from '../../../kernel/ports/read-model.ts';
import type { Recorded } from '../../../kernel/runtime/event-codec.ts';
import { type EventReader, readInOrder } from '../../../kernel/runtime/event-reader.ts';
import { keysOf } from '../../../kernel/runtime/fold-events.ts';
import { hiddenTokens } from '../../../projections/hidden-tokens.ts';

export interface HiddenTokens {
  has(tokenId: string): boolean;
}

export interface FollowedHiddenTokens extends HiddenTokens {
  /** Takes events in order; ignores those that hide or show nothing. */
  follow(event: Recorded): void;
}

/**
 * Resolves with the tokens that are hidden at `position`, near the end of the log; follow events from there on. The read
 * model may be behind or stopped: the log is read from its checkpoint. Undefined when aborted; rejects with
 * `CollectionNotLive` while there is none to read.
 */
export async function loadHiddenTokens(options: {
  readonly store: EventStore;
  readonly readModel: ReadModel;
  readonly reader: Pick<EventReader, 'read' | 'mayBecome'>;
  /** Categories of the streams whose events hide and show tokens. */
  readonly categories: readonly string[];
  readonly signal: AbortSignal;
}): Promise<{ readonly hidden: FollowedHiddenTokens; readonly position: Position } | undefined> {
  const { store, readModel, reader, categories, signal } = options;
  const served = await readModel.served(hiddenTokens);
  if (served === undefined) throw new CollectionNotLive(hiddenTokens.name);
  // Read before the documents, which may be newer than the checkpoint but never older.
  const after = served.checkpoint ?? START;
  const documents = await readModel.find(hiddenTokens, 'all', '');
  const ids = new Set(documents.map(({ tokenId }) => tokenId));
  const hidden: FollowedHiddenTokens = {
    has: (tokenId) => ids.has(tokenId),
    follow(event) {
      const handler = hiddenTokens.on[event.type];
      if (handler === undefined) return;
      for (const tokenId of keysOf(hiddenTokens, [event])) {
        if (handler.apply(undefined, event) === undefined) ids.delete(tokenId);
        else ids.add(tokenId);
      }
    },
  };
  let position = after;
  for await (const message of store.subscribe({ after, categories, signal })) {
    if (message.kind === 'caught-up') return { hidden, position: message.position };
    if (message.kind === 'event') {
      const { passed, recorded } = await readInOrder(reader, [message.event], changesHiddenTokens);
      // At an event that cannot be decoded the feed begins, and waits.
      if (passed.length === 0) return { hidden, position };
      for (const event of recorded) hidden.follow(event);
      position = message.event.position;
    }
  }
  return undefined;
}

export function changesHiddenTokens(type: string): boolean {
  return hiddenTokens.on[type] !== undefined;
}
