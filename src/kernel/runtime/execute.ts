/** The decision loop: load a stream, decide, append at the revision that was read, and decide again if it moved. */
import type { EventStore, ExpectedRevision, Position, RecordedEvent } from '../ports/event-store.ts';
import type { Clock } from './clock.ts';
import type { DomainEvent, StreamDefinition } from './define-stream.ts';
import { type EventCodec, EventUndecodable } from './event-codec.ts';
import { type EventReader, strictReader } from './event-reader.ts';
import { eventIdFor, randomId } from './ids.ts';
import type { Loaded } from './loaded-stream.ts';
import { Rejection } from './rejection.ts';
import { createSnapshots, type ReadStream } from './snapshots.ts';
import { appendSurely, readFrom, storeUnavailable } from './store-calls.ts';
import { createStreamLoader, nameOf, type StreamLoader } from './stream-loader.ts';
import { createTurns } from './turns.ts';

/** Milliseconds. Writers of several processes win by chance, so a loser needs tries rather than pauses. */
const DECISION_PATIENCE = 5_000;

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

export interface Executed<State, Event extends DomainEvent> {
  /** After the new events. */
  readonly state: State;
  readonly recorded: readonly Event[];
  /** The stream's last revision. */
  readonly revision: ExpectedRevision;
  /** The position of the stream's last event; undefined when it has none. */
  readonly position: Position | undefined;
}

export interface Executor extends Omit<StreamLoader, 'appended'> {
  /**
   * Records what `decide` returns for the stream's state. `decide` must be pure: it runs again when another writer came
   * first. Writers of this process then take turns; writers of other processes may still come first, so it goes on for
   * `DECISION_PATIENCE`, and then rejects with `CONCURRENT_CHANGE`. Rejects with `STORE_UNAVAILABLE` when the store does
   * not answer, with `EventUndecodable` when an event of the stream cannot be decoded. `beforeAppend` runs before each
   * append; if it rejects, nothing is appended.
   */
  execute<State, Event extends DomainEvent>(
    stream: StreamDefinition<State, Event>,
    streamId: string,
    cause: Cause,
    decide: (state: State, loaded: Loaded<State, NoInfer<Event>>) => readonly NoInfer<Event>[],
    beforeAppend?: (loaded: Loaded<State, NoInfer<Event>>) => Promise<void>,
  ): Promise<Executed<State, Event>>;
}

export interface ExecutorOptions {
  /** Milliseconds after which a decision that always conflicts is given up. */
  readonly decisionPatience?: number;
  /** Without it, nothing is quarantined. */
  readonly reader?: Pick<EventReader, 'read'>;
  /** Called when a snapshot of a long stream could not be written. */
  readonly snapshotFailed?: (error: unknown, stream: string) => void;
}

export function createExecutor(
  store: EventStore,
  codec: EventCodec,
  clock: Clock,
  {
    decisionPatience = DECISION_PATIENCE,
    reader = strictReader(codec),
    snapshotFailed = () => {},
  }: ExecutorOptions = {},
): Executor {
  const turns = createTurns();
  const read: ReadStream = (stream, from) => readFrom(store, stream, from);
  const snapshots = createSnapshots({ store, read, codec, now: () => clock.now() });
  const { appended, ...loader } = createStreamLoader({ read, decode, snapshots, snapshotFailed });

  function decode(stored: RecordedEvent) {
    const found = reader.read(stored);
    return found instanceof Promise ? found.catch(failure) : found;
  }

  return {
    ...loader,
    async execute(stream, streamId, cause, decide, beforeAppend) {
      const name = nameOf(stream, streamId);
      // Not derived from the command: if the command ran twice at once, the store would take the second append for a
      // repetition of the first, and that caller would get events that nobody recorded.
      const run = randomId();

      /** Undefined when another writer came first. */
      const attempt = async () => {
        const loaded = await loader.load(stream, streamId);
        const decided = decide(loaded.state, loaded);
        if (decided.length === 0) {
          const { state, revision, position } = loaded;
          return { state, recorded: [], revision, position };
        }
        const occurredAt = clock.now().toISOString();
        const encoded = decided.map((event, index) =>
          codec.encode(stream.category, eventIdFor(run, index), event, { ...cause, occurredAt }),
        );
        await beforeAppend?.(loaded);
        const result = await appendSurely(store, name, loaded.revision, encoded);
        if (result.outcome !== 'appended') return undefined;
        const { revision, position } = result;
        const state = decided.reduce(stream.evolve, loaded.state);
        const eventId = eventIdFor(run, decided.length - 1);
        appended(stream, streamId, { state, revision, eventId });
        return { state, recorded: decided, revision, position };
      };
      const attemptAgain = async () => {
        const begun = performance.now();
        do {
          const executed = await attempt();
          if (executed !== undefined) return executed;
        } while (performance.now() - begun < decisionPatience);
        return undefined;
      };

      // After a conflict callers take turns, and so does who comes while they do: if all decided again at once, all but
      // one would conflict again.
      const first = turns.isTaken(name) ? undefined : await attempt();
      const executed = first ?? (await turns.take(name, attemptAgain));
      if (executed !== undefined) return executed;
      throw concurrentChange();
    },
  };
}

function failure(error: unknown): never {
  throw error instanceof EventUndecodable ? error : storeUnavailable(error);
}

function concurrentChange(): Rejection {
  return new Rejection(
    'CONCURRENT_CHANGE',
    'conflict',
    'Somebody else changed this at the same moment; try again.',
    { retryAfterSeconds: 1 },
  );
}
