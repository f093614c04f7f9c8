/**
 * Ties an Idempotency-Key to one request, using only recorded events.
 *
 * If a command's stream is named after the command itself, its key always leads to that stream, whose events contain the
 * hash of the request. Any other key has a separate stream, `command-<commandId>`. Right before its first append, a command
 * records its request there, so the key belongs to that request permanently, whatever the outcome of the append: the same
 * request can be repeated, and any other is rejected.
 *
 * A rejected call records nothing, since it is rejected earlier; only a call that was accepted and then lost a race against
 * another writer holds its key nevertheless. Of two requests with one key, one is recorded first, and the other finds it. So
 * two different requests are never both recorded under one key, whenever a process is killed and however many processes
 * share the log.
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
    /** Readable form: `PATCH /distribution/:tokenId/settings`. */
    route: Type.String({ minLength: 1 }),
    inputHash: Type.String({ minLength: 64, maxLength: 64 }),
    /** Number of events in the stream right before the command's append; the command's events come after them. */
    streamLength: Type.Integer({ minimum: 0 }),
  }),
};

const { IdempotencyKeyUsed } = constructorsOf(idempotencyKeyEvents);

type IdempotencyKeyState = IdempotencyKeyEvent['data'] | undefined;

export const idempotencyKey = defineStream({
  category: 'command',
  events: idempotencyKeyEvents,
  internal: { IdempotencyKeyUsed: 'A repeated call concerns only its caller.' },
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
  if (state.inputHash !== use.inputHash) throw keyReusedRejection();
  return [];
}

/** An earlier attempt at the same request was recorded concurrently. */
export class AlreadyRecorded extends Error {
  override readonly name = 'AlreadyRecorded';
}

export function createKeyUse<State, Event extends DomainEvent>(options: {
  readonly executor: Executor;
  readonly cause: Cause;
  readonly route: string;
  readonly stream: StreamDefinition<State, Event>;
  readonly streamId: string;
}) {
  const { executor, cause, route, stream, streamId } = options;
  const { commandId, inputHash } = cause;

  return {
    /**
     * Revision from which on the request may be recorded; undefined if its key was never used. Rejects with
     * `IDEMPOTENCY_KEY_REUSED` if the key belongs to another request.
     */
    async recordedFrom(): Promise<number | undefined> {
      const { state } = await executor.load(idempotencyKey, commandId);
      if (state !== undefined && state.inputHash !== inputHash) throw keyReusedRejection();
      return state?.streamLength;
    },
    /**
     * Must be called before each append, with the stream's expected length. Rejects like `recordedFrom`, and with
     * `AlreadyRecorded` if the stream already contains the request.
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

export function keyReusedRejection(): Rejection {
  return new Rejection(
    'IDEMPOTENCY_KEY_REUSED',
    'unprocessable',
    'This Idempotency-Key was used for another request; use a new key for a new request.',
  );
}
