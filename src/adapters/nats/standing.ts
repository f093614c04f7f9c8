/** How far a stream is, from what it holds and from the checkpoint beside it. Pure. */
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { START } from '../../kernel/ports/event-store.ts';
import { type PublisherCursor, PublisherRefused } from '../../kernel/ports/publisher.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { OutcomeStream } from './outcome-stream.ts';

const AT_THE_START = { position: START, eventId: null, alreadyStored: 0 };

/** The fields read from a message in the stream. */
const Published = Type.Object({
  id: Type.String(),
  source: Type.String(),
  position: Type.String({ minLength: 1 }),
});

/**
 * The last message holds the position. If it is gone, the checkpoint holds the position of an earlier message (or of
 * a later one, if the server lost count of messages without interest), and each sequence after that is one message.
 * Throws `PublisherRefused` if the stream holds something else, or if the position cannot be found.
 */
export function standingOf(
  found: OutcomeStream,
  source: string,
  stream: string,
  checkpoint: Checkpoint | undefined,
): Omit<PublisherCursor, 'lost'> {
  if (found.isUnused) return AT_THE_START;
  if (found.lastBody !== undefined) {
    const last = publishedIn(found.lastBody);
    if (last === undefined) {
      throw new PublisherRefused(
        `the last message of the stream ${stream} was not published by Levy: leave the stream to Levy alone, or set PUBLISHER_STREAM and PUBLISHER_SUBJECT_PREFIX to others`,
      );
    }
    requireSource(last.source, source, stream);
    return { position: last.position, eventId: last.id, alreadyStored: 0 };
  }
  if (checkpoint?.created === found.created) {
    requireSource(checkpoint.source, source, stream);
    const alreadyStored = Math.max(0, found.lastSequence - checkpoint.sequence);
    const { position, eventId } = checkpoint;
    return { position, eventId, alreadyStored };
  }
  if (found.lastSequence === 0) return AT_THE_START;
  throw new PublisherRefused(
    `it cannot be told how far the stream ${stream} is: its last message is gone, and there is no checkpoint in the bucket ${stream}_publisher; set PUBLISHER_STREAM and PUBLISHER_SUBJECT_PREFIX to others, or delete the stream to have everything published anew`,
  );
}

function requireSource(found: string, source: string, stream: string): void {
  if (found === source) return;
  throw new PublisherRefused(
    `the stream ${stream} holds the outcomes of another log (${found}; this one is ${source}): set PUBLISHER_STREAM and PUBLISHER_SUBJECT_PREFIX to others`,
  );
}

function publishedIn(body: string): Static<typeof Published> | undefined {
  try {
    const found: unknown = JSON.parse(body);
    return Value.Check(Published, found) ? found : undefined;
  } catch {
    return undefined;
  }
}
