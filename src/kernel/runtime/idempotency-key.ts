/**
 * Ties an Idempotency-Key to one request, using only what is recorded.
 *
 * A command whose stream is named after the command itself needs none of this: its key leads to that stream whatever
 * else the request says, and the events there carry the hash of the request. Any other key has a stream of its own,
 * `command-<commandId>`. Right before its first append a command records its request there, so the key belongs to that
 * request permanently, whatever becomes of the append: its caller can repeat it, and any other request is refused.
 *
 * A refused call records nothing, since it is refused earlier; only one that was accepted and then lost a race against
 * another writer holds its key all the same. Of two requests with one key one is recorded first, and the other finds it.
 * So two different requests are never both recorded under one key, whenever a process is killed and however many share
 * the log.
 */
import { Type } from '@sinclair/typebox';
import {
  constructorsOf,
  type DomainEvent,
  defineStream,
  type EventOf,
  type StreamDefinition,
} from './define-stream.ts';
import type { Cause, Executor } from './execute.ts';
import { Rejection } from './rejection.ts';

const idempotencyKeyEvents = {
  IdempotencyKeyUsed: Type.Object({
    /** In readable form: `PATCH /distribution/:tokenId/settings`. */
    route: Type.String({ minLength: 1 }),
    inputHash: Type.String({ minLength: 64, maxLength: 64 }),
    /** The number of events of the stream that the command was about to append to: its own come later. */
    streamLength: Type.Integer({ minimum: 0 }),
  }),
};

const { IdempotencyKeyUsed } = constructorsOf(idempotencyKeyEvents);

type IdempotencyKeyState = IdempotencyKeyEvent['data'] | undefined;

export const idempotencyKey = defineStream({
  category: 'command',
  events: idempotencyKeyEvents,
  internal: { IdempotencyKeyUsed: 'That a call was repeated is between a caller and the service.' },
  initial: undefined as IdempotencyKeyState,
  evolve: (earlier, { data }): IdempotencyKeyState => earlier ?? data,
});

type IdempotencyKeyEvent = EventOf<typeof idempotencyKeyEvents>;

/** Throws `IDEMPOTENCY_KEY_REUSED` if the key belongs to another request. */
function decideKeyUse(
  state: IdempotencyKeyState,
  use: IdempotencyKeyEvent['data'],
): readonly IdempotencyKeyEvent[] {
  if (state === undefined) return [IdempotencyKeyUsed(use)];
  if (state.inputHash !== use.inputHash) throw keyReused();
  return [];
}

/** An earlier attempt at the same request was recorded meanwhile. */
export class AlreadyRecorded extends Error {
  override readonly name = 'AlreadyRecorded';
}

export function createKeyUse<State, Event extends DomainEvent>(options: {
  readonly executor: Executor;
  readonly cause: Cause;
  readonly route: string;
  /** The command's stream and its id. */
  readonly stream: StreamDefinition<State, Event>;
  readonly streamId: string;
}) {
  const { executor, cause, route, stream, streamId } = options;
  const { commandId, inputHash } = cause;

  return {
    /**
     * The revision from which on the request may be recorded; undefined if its key was never used. Rejects with
     * `IDEMPOTENCY_KEY_REUSED` if the key belongs to another request.
     */
    async recordedFrom(): Promise<number | undefined> {
      const { state } = await executor.load(idempotencyKey, commandId);
      if (state !== undefined && state.inputHash !== inputHash) throw keyReused();
      return state?.streamLength;
    },
    /**
     * To be called before each append, with the length that the stream must have then. Rejects like `recordedFrom`, and with
     * `AlreadyRecorded` if the stream holds the request already.
     */
    async use(streamLength: number): Promise<void> {
      const use = { route, inputHash, streamLength };
      const { state } = await executor.execute(idempotencyKey, commandId, cause, (held) =>
        decideKeyUse(held, use),
      );
      const eventsFrom = state?.streamLength ?? streamLength;
      if (eventsFrom >= streamLength) return;
      const { events } = await executor.load(stream, streamId, { eventsFrom });
      if (events.some(({ metadata }) => metadata.commandId === commandId)) throw new AlreadyRecorded();
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
