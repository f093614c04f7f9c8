/** The decision loop: load a stream, decide, append at the revision that was read, and decide again if it moved. */
import { setTimeout as sleep } from 'node:timers/promises';
import type {
  AppendResult,
  EventStore,
  EventToAppend,
  ExpectedRevision,
  Position,
  RecordedEvent,
} from '../ports/event-store.ts';
import type { Clock } from './clock.ts';
import type { DomainEvent, StreamDefinition } from './define-stream.ts';
import { type EventCodec, EventUndecodable, type Recorded } from './event-codec.ts';
import { type EventReader, strictReader } from './event-reader.ts';
import { eventIdFor, randomId } from './ids.ts';
import { Rejection } from './rejection.ts';
import { createTurns } from './turns.ts';

const DECISIONS = 4; // the first and three more
const APPEND_TRIES = 3;
/** Milliseconds after which an append is not retried: a store may have retries of its own. */
const APPEND_PATIENCE = 5_000;

/** Who acts, and what led to it. */
export interface Cause {
  readonly commandId: string;
  readonly inputHash: string;
  readonly correlationId: string;
  readonly causationId: string;
  readonly actor: string;
  /** The span that it belongs to, if it is traced. */
  readonly traceparent?: string;
}

/** What led to an action that a part of the service takes by itself. */
export type CausationContext = Pick<Cause, 'correlationId' | 'causationId' | 'traceparent'>;

/**
 * The cause of an action that a part of the service takes by itself, under a command of its own. `context` names what
 * led to it; without one, the chain of causes begins here.
 */
export function causeOf(part: string, context?: CausationContext): Cause {
  const commandId = randomId();
  const itself: CausationContext = { correlationId: commandId, causationId: commandId };
  const { correlationId, causationId, traceparent } = context ?? itself;
  const cause = { commandId, inputHash: '', correlationId, causationId, actor: `service:${part}` };
  return traceparent === undefined ? cause : { ...cause, traceparent };
}

export interface Loaded<State, Event extends DomainEvent> {
  readonly state: State;
  readonly revision: ExpectedRevision;
  readonly events: readonly Recorded<Event>[];
  /** The position of the stream's last event; undefined when it has none. */
  readonly position: Position | undefined;
}

export interface Executed<State, Event extends DomainEvent> {
  /** After the new events. */
  readonly state: State;
  readonly recorded: readonly Event[];
  /** The stream's last revision. */
  readonly revision: ExpectedRevision;
  /** The position of the stream's last event; undefined when it has none. */
  readonly position: Position | undefined;
}

export interface Executor {
  load<State, Event extends DomainEvent>(
    stream: StreamDefinition<State, Event>,
    streamId: string,
  ): Promise<Loaded<State, Event>>;

  /**
   * Records what `decide` returns for the stream's state. `decide` must be pure: it runs again when another writer came
   * first; writers of this process then take turns. Rejects with `CONCURRENT_CHANGE` when that happens four times, with
   * `STORE_UNAVAILABLE` when the store does not answer, with `EventUndecodable` when an event of the stream cannot be
   * decoded. `beforeAppend` runs before each append; if it rejects, nothing
   * is appended.
   */
  execute<State, Event extends DomainEvent>(
    stream: StreamDefinition<State, Event>,
    streamId: string,
    cause: Cause,
    decide: (state: State, loaded: Loaded<State, NoInfer<Event>>) => readonly NoInfer<Event>[],
    beforeAppend?: (loaded: Loaded<State, NoInfer<Event>>) => Promise<void>,
  ): Promise<Executed<State, Event>>;
}

/** Without a `reader`, nothing is quarantined. */
export function createExecutor(
  store: EventStore,
  codec: EventCodec,
  clock: Clock,
  reader: Pick<EventReader, 'read'> = strictReader(codec),
): Executor {
  const turns = createTurns();

  async function load<State, Event extends DomainEvent>(
    stream: StreamDefinition<State, Event>,
    streamId: string,
  ): Promise<Loaded<State, Event>> {
    let state = stream.initial;
    const events: Recorded<Event>[] = [];
    const all = await readAll(`${stream.category}-${streamId}`);
    for (const stored of all) {
      const found = reader.read(stored);
      const decoded = found instanceof Promise ? await found.catch(failure) : found;
      if (decoded === undefined) continue;
      // The codec has checked the event against this stream's schemas.
      const event = decoded as Recorded<Event>;
      state = stream.evolve(state, event);
      events.push(event);
    }
    // Also of a quarantined event: the next one is appended after it.
    const last = all.at(-1);
    return { state, events, revision: last?.revision ?? 'none', position: last?.position };
  }

  async function readAll(stream: string): Promise<readonly RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    try {
      for await (const event of store.read(stream)) events.push(event);
    } catch (error) {
      throw storeUnavailable(error);
    }
    return events;
  }

  async function append(
    stream: string,
    expected: ExpectedRevision,
    events: EventToAppend[],
  ): Promise<AppendResult> {
    const begun = performance.now();
    for (let attempt = 1; ; attempt++) {
      try {
        return await store.append(stream, expected, events);
      } catch (error) {
        // The outcome is unknown; repeating the identical call reveals it, because the store knows the ids.
        if (error instanceof TypeError) throw error;
        if (attempt === APPEND_TRIES || performance.now() - begun >= APPEND_PATIENCE)
          throw storeUnavailable(error);
        await sleep(50 * attempt);
      }
    }
  }

  return {
    load,
    async execute(stream, streamId, cause, decide, beforeAppend) {
      const name = `${stream.category}-${streamId}`;
      // Not derived from the command: if the command ran twice at once, the store would take the second append for a
      // repetition of the first, and that caller would get events that nobody recorded.
      const run = randomId();

      /** Undefined when another writer came first. */
      const attempt = async () => {
        const loaded = await load(stream, streamId);
        const decided = decide(loaded.state, loaded);
        if (decided.length === 0) {
          const { state, revision, position } = loaded;
          return { state, recorded: [], revision, position };
        }
        const occurredAt = clock.now().toISOString();
        const encoded = decided.map((event, index) =>
          codec.encode(stream.category, eventIdFor(run, index), event, {
            ...cause,
            occurredAt,
          }),
        );
        await beforeAppend?.(loaded);
        const result = await append(name, loaded.revision, encoded);
        if (result.outcome !== 'appended') return undefined;
        return {
          state: decided.reduce(stream.evolve, loaded.state),
          recorded: decided,
          revision: result.revision,
          position: result.position,
        };
      };
      const attemptAgain = async () => {
        for (let decision = 2; decision <= DECISIONS; decision++) {
          const executed = await attempt();
          if (executed !== undefined) return executed;
        }
        return undefined;
      };

      // After a conflict callers take turns: if all decided again at once, all but one would conflict again.
      const executed = (await attempt()) ?? (await turns.take(name, attemptAgain));
      if (executed !== undefined) return executed;
      throw new Rejection(
        'CONCURRENT_CHANGE',
        'conflict',
        'Somebody else changed this at the same moment; try again.',
        {
          retryAfterSeconds: 1,
        },
      );
    },
  };
}

function failure(error: unknown): never {
  throw error instanceof EventUndecodable ? error : storeUnavailable(error);
}

function storeUnavailable(cause: unknown): Rejection {
  return new Rejection('STORE_UNAVAILABLE', 'unavailable', 'The event store does not answer; try again.', {
    retryAfterSeconds: 2,
    cause,
  });
}
