/** Which tokens are hidden now: loaded once, then followed event by event, so that nobody has to wait for the answer. */
import { type EventStore, type Position, START } from '../../ports/event-store.ts';
import { CollectionNotLive, type ReadModel } from '../../ports/read-model.ts';
import { hiddenTokens } from '../../projections/hidden-tokens.ts';
import type { EventCodec, Recorded } from '../../runtime/event-codec.ts';
import { keysOf } from '../../runtime/fold-events.ts';

export interface HiddenTokens {
  has(tokenId: string): boolean;
}

export interface FollowedHiddenTokens extends HiddenTokens {
  /** The events come in order. Other events are nothing to it. */
  follow(event: Recorded): void;
}

/**
 * Resolves with the tokens that are hidden at `position`, near the end of the log, from which on they have to be
 * followed. The read model may be behind, or stopped: it is only where the reading begins. Undefined when aborted;
 * rejects with `CollectionNotLive` while the read model is being built.
 */
export async function loadHiddenTokens(options: {
  readonly store: EventStore;
  readonly readModel: ReadModel;
  readonly codec: EventCodec;
  /** Of the streams whose events hide tokens and show them. */
  readonly categories: readonly string[];
  readonly signal: AbortSignal;
}): Promise<{ readonly hidden: FollowedHiddenTokens; readonly position: Position } | undefined> {
  const { store, readModel, codec, categories, signal } = options;
  if (!(await readModel.isLive(hiddenTokens))) throw new CollectionNotLive(hiddenTokens.name);
  // Before the documents: they may be of a later moment, never of an earlier one.
  const after = (await readModel.checkpoint(hiddenTokens)) ?? START;
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
  for await (const message of store.subscribe({ after, categories, signal })) {
    if (message.kind === 'caught-up') return { hidden, position: message.position };
    if (message.kind === 'event') hidden.follow(codec.decode(message.event));
  }
  return undefined;
}
