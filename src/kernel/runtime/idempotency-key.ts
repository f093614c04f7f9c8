/**
 * Ties an Idempotency-Key to one request, using only what is recorded.
 *
 * A command whose stream is named after the command itself needs none of this: its key leads to that stream whatever
 * else the request says, and the events there carry the hash of the request. Any other key has a stream of its own,
 * `command-<commandId>`. Right before it appends, each attempt at the command records there its request, the stream
 * that it is about to append to, and that stream's length. The append succeeds only at the recorded length, so
 * everybody can tell from the log what became of an attempt:
 *
 * - the stream holds an event of the command: it was recorded, and the key belongs to that request for ever;
 * - the stream has grown without one: the attempt has failed and can never succeed. The key is free again;
 * - the stream is unchanged: the attempt is in progress, here or in another process, or was killed. The key belongs to
 *   that request: its caller has no answer yet, and gets one by repeating the request.
 *
 * A refused call records nothing, since it is refused earlier. The note before the append is itself an append, at the
 * revision that was read: of two requests with one key one comes first, and the other finds it. So two different
 * requests are never both recorded under one key, whenever a process is killed and however many share the log.
 */
import { Type } from '@sinclair/typebox';
import type { DomainEvent } from './define-stream.ts';
import { constructorsOf, defineStream, type EventOf, type StreamDefinition } from './define-stream.ts';
import type { Cause, Executor } from './execute.ts';
import { Rejection } from './rejection.ts';
import type { Trust } from './stream-loader.ts';

export const idempotencyKeyEvents = {
  IdempotencyKeyUsed: Type.Object({
    /** In readable form: `PATCH /distribution/:tokenId/settings`. */
    route: Type.String({ minLength: 1 }),
    inputHash: Type.String({ minLength: 64, maxLength: 64 }),
    /** The id of the stream that the command is about to append to, and the number of its events. */
    streamId: Type.String({ minLength: 1 }),
    streamLength: Type.Integer({ minimum: 0 }),
  }),
};

const { IdempotencyKeyUsed } = constructorsOf(idempotencyKeyEvents);

/** The latest attempt. */
export type IdempotencyKeyState =
  | { readonly inputHash: string; readonly streamId: string; readonly streamLength: number }
  | undefined;

export const idempotencyKey = defineStream({
  category: 'command',
  events: idempotencyKeyEvents,
  internal: { IdempotencyKeyUsed: 'That a call was repeated is between a caller and the service.' },
  initial: undefined as IdempotencyKeyState,
  evolve: (_earlier, { data: { inputHash, streamId, streamLength } }): IdempotencyKeyState => ({
    inputHash,
    streamId,
    streamLength,
  }),
});

type IdempotencyKeyEvent = EventOf<typeof idempotencyKeyEvents>;

/**
 * What an attempt records before it appends. `isUnchanged`: nothing was recorded of the key since it was found to be free
 * for this request. Throws `IDEMPOTENCY_KEY_REUSED` if another request has taken it in between.
 */
export function decideKeyUse(
  state: IdempotencyKeyState,
  attempt: IdempotencyKeyEvent['data'],
  isUnchanged: boolean,
): readonly IdempotencyKeyEvent[] {
  const isOwn = state?.inputHash === attempt.inputHash;
  if (!isOwn && !isUnchanged) throw keyReused();
  // Attempts at one request may overtake each other: only the one that saw the longest stream can still succeed.
  if (isOwn && state.streamLength >= attempt.streamLength) return [];
  return [IdempotencyKeyUsed(attempt)];
}

export interface KeyUse {
  /**
   * The revision at which the request's last attempt is recorded, if it succeeded; undefined without an attempt.
   * Rejects with `IDEMPOTENCY_KEY_REUSED` while the key belongs to another request.
   */
  lastAttempt(): Promise<number | undefined>;
  /**
   * Records that the request is about to be appended to its stream of this length. Rejects like `lastAttempt`, and with
   * `AlreadyRecorded` when an earlier attempt has succeeded.
   */
  use(streamLength: number): Promise<void>;
}

/** Another attempt at the same request was recorded meanwhile. */
export class AlreadyRecorded extends Error {
  override readonly name = 'AlreadyRecorded';
}

export function createKeyUse<State, Event extends DomainEvent>(options: {
  readonly executor: Executor;
  readonly cause: Cause;
  readonly route: string;
  /** The command's stream and its id: all requests with its key are recorded in streams of this category. */
  readonly stream: StreamDefinition<State, Event>;
  readonly streamId: string;
}): KeyUse {
  const { executor, cause, route, stream, streamId } = options;
  const { commandId, inputHash } = cause;

  /** `cached` suffices before an append to the key's stream. */
  async function look(trust: Trust) {
    const { state, revision } = await executor.load(idempotencyKey, commandId, { trust });
    const isOwn = state?.inputHash === inputHash;
    if (state !== undefined && !isOwn && (await outcomeOf(state)) !== 'failed') throw keyReused();
    return { own: isOwn ? state : undefined, revision };
  }

  async function outcomeOf(
    attempt: NonNullable<IdempotencyKeyState>,
  ): Promise<'open' | 'recorded' | 'failed'> {
    const { streamId: id, streamLength: eventsFrom } = attempt;
    const { events, revision } = await executor.load(stream, id, { eventsFrom });
    if (revision === 'none' || revision < eventsFrom) return 'open';
    const isRecorded = events.some(
      (event) => event.revision >= eventsFrom && event.metadata.commandId === commandId,
    );
    return isRecorded ? 'recorded' : 'failed';
  }

  return {
    async lastAttempt() {
      return (await look('fresh')).own?.streamLength;
    },
    async use(streamLength) {
      const { own: earlier, revision: found } = await look('cached');
      if (earlier !== undefined && earlier.streamLength < streamLength) {
        if ((await outcomeOf(earlier)) === 'recorded') throw new AlreadyRecorded();
      }
      const attempt = { route, inputHash, streamId, streamLength };
      await executor.execute(idempotencyKey, commandId, cause, (state, { revision }) =>
        decideKeyUse(state, attempt, revision === found),
      );
    },
  };
}

export function keyReused(): Rejection {
  return new Rejection(
    'IDEMPOTENCY_KEY_REUSED',
    'unprocessable',
    'This Idempotency-Key was used for another request; use a new key for a new request.',
  );
}
