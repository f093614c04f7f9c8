/** Decision loop: loads a stream, decides, appends at the revision read, and decides again after a conflict. */
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
import { type EventCodec, EventUndecodable } from './event-codec.ts';
import { type EventReader, strictReader } from './event-reader.ts';
import { eventIdFor, randomId } from './ids.ts';
import { createKeyedMutex } from './keyed-mutex.ts';
import { Rejection } from './rejection.ts';
import { retry } from './retry.ts';
import { createSnapshots, type Milestone, type ReadStream } from './snapshots.ts';
import {
  createStreamCache,
  createStreamLoader,
  type LoadedStream,
  nameOf,
  type StreamCache,
  type StreamLoader,
  type Trust,
} from './stream-cache.ts';

/** Time limit of a decision in milliseconds. Writers of several processes win by chance, so a loser retries without a pause. */
const DECISION_TIMEOUT = 5_000;

/** Milliseconds that a retried decision may block other decisions on its stream; a hanging decision releases the lock then. */
const MAX_HOLD = 5_000;

/** Milliseconds before each retry of an append. */
const APPEND_PAUSES = [50, 100];
/** Milliseconds after which an append is not retried, since a store may have its own retries. */
const APPEND_TIMEOUT = 5_000;

export interface Cause {
  readonly commandId: string;
  readonly inputHash: string;
  readonly correlationId: string;
  readonly causationId: string;
  readonly actor: string;
  /** Span of the command, if traced. */
  readonly traceparent?: string;
}

/** Causes of an action by a part of the service. */
type CausationContext = Pick<Cause, 'correlationId' | 'causationId' | 'traceparent'>;

/**
 * Cause of an action by a part of the service, under a new command. `context` contains the preceding causes; without it, the
 * chain begins here.
 */
export function causeOf(part: string, context?: CausationContext): Cause {
  const commandId = randomId();
  const itself: CausationContext = { correlationId: commandId, causationId: commandId };
  const { correlationId, causationId, traceparent } = context ?? itself;
  const trace = traceparent === undefined ? {} : { traceparent };
  return { commandId, inputHash: '', correlationId, causationId, actor: `service:${part}`, ...trace };
}

export interface Executed<State, Event extends DomainEvent> {
  /** State after the new events. */
  readonly state: State;
  readonly recorded: readonly Event[];
  readonly revision: ExpectedRevision;
  /** Position of the stream's last event; undefined for an empty stream. */
  readonly position: Position | undefined;
}

interface ExecuteOptions<State, Event extends DomainEvent> {
  /** Runs before each append; if it rejects, nothing is appended. */
  readonly beforeAppend?: ((loaded: LoadedStream<State, Event>) => Promise<void>) | undefined;
  /** Default `fresh`. */
  readonly trust?: Trust;
}

export interface Executor extends Pick<StreamLoader, 'load' | 'check'> {
  /**
   * Records the events that `decide` returns for the stream's state. `decide` must be pure. It runs on the cached state
   * first, and again on the store's current events if another writer appended first. Unless `trust` is `cached`, it also
   * runs again if it returns no events or throws. After a conflict, writers of this process decide serially. Writers of
   * other processes can still append first; so after retries for `DECISION_TIMEOUT`, rejects with `CONCURRENT_CHANGE`.
   * Rejects with `STORE_UNAVAILABLE` if the store does not respond, and with `EventUndecodable` if an event of the stream
   * cannot be decoded.
   */
  execute<State, Event extends DomainEvent>(
    stream: StreamDefinition<State, Event>,
    streamId: string,
    cause: Cause,
    decide: (state: State, loaded: LoadedStream<State, Event>) => readonly NoInfer<Event>[],
    options?: ExecuteOptions<State, NoInfer<Event>>,
  ): Promise<Executed<State, Event>>;
  /** Caches events recorded by any process; ignores duplicates and late ones. */
  learn(events: readonly RecordedEvent[]): void;
}

export interface ExecutorOptions {
  /** Milliseconds after which a decision with repeated conflicts is abandoned. */
  readonly decisionTimeout?: number;
  /** Without it, no event is quarantined. */
  readonly reader?: Pick<EventReader, 'read'>;
  /** Without it, every decision reads the store. */
  readonly cache?: StreamCache;
  /** Called when a snapshot of a long stream could not be written. */
  readonly snapshotFailed?: (error: unknown, stream: string) => void;
}

export function createExecutor(
  store: EventStore,
  codec: EventCodec,
  clock: Clock,
  {
    decisionTimeout = DECISION_TIMEOUT,
    reader = strictReader(codec),
    cache = createStreamCache({ isFollowed: () => false }),
    snapshotFailed = () => {},
  }: ExecutorOptions = {},
): Executor {
  const mutex = createKeyedMutex({ longestHold: MAX_HOLD });
  const read: ReadStream = (stream, from, atMost) => readFrom(store, stream, from, atMost);
  const snapshots = createSnapshots({ store, read, codec, now: () => clock.now() });
  const decode = (stored: RecordedEvent) => reader.read(stored).catch(failure);
  const { cached, load, check } = createStreamLoader({ read, decode, cache, snapshots });

  /** Caches the appended event in the form that a read would return. */
  async function append(stream: string, expected: ExpectedRevision, events: readonly EventToAppend[]) {
    try {
      const result = await appendReliably(store, stream, expected, events);
      if (result.outcome === 'conflict') return result;
      const { revision, position } = result;
      const [event, ...others] = events;
      // The store returns the position of the last event only.
      if (event === undefined || others.length > 0) cache.forget(stream);
      // A copy by JSON lacks undefined properties, and is not the caller's object.
      else
        cache.learn([
          { ...(JSON.parse(JSON.stringify(event)) as EventToAppend), stream, revision, position },
        ]);
      return result;
    } catch (error) {
      // The outcome is unknown: the append may still be written.
      cache.forget(stream);
      throw error;
    }
  }

  /** The returned function resolves with undefined if another writer appended first. */
  function createAttempt<State, Event extends DomainEvent>(
    stream: StreamDefinition<State, Event>,
    streamId: string,
    cause: Cause,
    decide: (state: State, loaded: LoadedStream<State, Event>) => readonly Event[],
    { beforeAppend, trust = 'fresh' }: ExecuteOptions<State, Event>,
  ): () => Promise<Executed<State, Event> | undefined> {
    const name = nameOf(stream, streamId);
    // Not derived from the command: if the command ran twice concurrently, the store would treat the second append as a
    // repetition of the first, and that caller would get events that were not recorded.
    const run = randomId();
    let conflictedAt: ExpectedRevision | undefined;

    async function record(loaded: LoadedStream<State, Event>, decided: readonly Event[]) {
      const { revision: expected, position: before } = loaded;
      if (decided.length === 0)
        return { state: loaded.state, recorded: [], revision: expected, position: before };
      const occurredAt = clock.now().toISOString();
      const encoded = decided.map((event, index) =>
        codec.encode(stream.category, eventIdFor(run, index), event, { ...cause, occurredAt }),
      );
      await beforeAppend?.(loaded);
      const result = await append(name, expected, encoded);
      if (result.outcome === 'conflict') {
        conflictedAt = expected;
        return undefined;
      }
      const { revision, position } = result;
      const state = decided.reduce(stream.evolve, loaded.state);
      takeSnapshot({ state, revision, eventId: eventIdFor(run, decided.length - 1) }, decided.length);
      return { state, recorded: decided, revision, position };
    }

    /** Runs in the background. A missing snapshot only makes loads slower. */
    function takeSnapshot(milestone: Milestone<State>, added: number): void {
      const every = stream.snapshots?.every;
      if (every === undefined || (milestone.revision + 1) % every >= added) return;
      snapshots.take(stream, name, milestone).catch((error: unknown) => snapshotFailed(error, name));
    }

    /** Undefined if the cached state does not suffice. */
    async function decideOnCached() {
      const found = await cached(stream, streamId);
      // After a conflict, a state received since is as new as a read and available sooner; a process that always reads would
      // always lose against one that does not.
      if (found === undefined || found.revision === conflictedAt) return undefined;
      try {
        const decided = decide(found.state, found);
        return decided.length === 0 && trust === 'fresh' ? undefined : { found, decided };
      } catch (refusal) {
        if (trust === 'cached') throw refusal;
        return undefined;
      }
    }

    return async () => {
      const made = await decideOnCached();
      if (made !== undefined) return record(made.found, made.decided);
      const loaded = await load(stream, streamId);
      return record(loaded, decide(loaded.state, loaded));
    };
  }

  return {
    load,
    check,
    learn: cache.learn,
    async execute(stream, streamId, cause, decide, options = {}) {
      const name = nameOf(stream, streamId);
      const attempt = createAttempt(stream, streamId, cause, decide, options);
      const attemptAgain = async () => {
        const begun = performance.now();
        for (;;) {
          const executed = await attempt();
          if (executed !== undefined || performance.now() - begun >= decisionTimeout) return executed;
        }
      };

      // After a conflict, callers decide serially, and so do later callers: if they decided concurrently, all but one
      // would conflict again.
      const first = mutex.isHeld(name) ? undefined : await attempt();
      const executed = first ?? (await mutex.run(name, attemptAgain));
      if (executed !== undefined) return executed;
      throw concurrentChangeRejection();
    },
  };
}

function failure(error: unknown): never {
  throw error instanceof EventUndecodable ? error : storeUnavailableRejection(error);
}

function concurrentChangeRejection(): Rejection {
  return new Rejection(
    'CONCURRENT_CHANGE',
    'conflict',
    'Another request changed this at the same time; try again.',
    { retryAfterSeconds: 1 },
  );
}

export async function readFrom(
  store: Pick<EventStore, 'read'>,
  stream: string,
  from?: number,
  atMost = Number.POSITIVE_INFINITY,
): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  try {
    for await (const event of store.read(stream, from)) {
      events.push(event);
      if (events.length >= atMost) break;
    }
  } catch (error) {
    throw storeUnavailableRejection(error);
  }
  return events;
}

/** Retries until the outcome is known: repeating the identical call reveals it, because the store compares event ids. */
function appendReliably(
  store: Pick<EventStore, 'append'>,
  stream: string,
  expected: ExpectedRevision,
  events: readonly EventToAppend[],
): Promise<AppendResult> {
  const begun = performance.now();
  return retry(() => store.append(stream, expected, events), {
    pauses: APPEND_PAUSES,
    failed(error, earlier) {
      // The call itself is invalid, so a retry cannot succeed.
      if (error instanceof TypeError) throw error;
      if (earlier === APPEND_PAUSES.length || performance.now() - begun >= APPEND_TIMEOUT)
        throw storeUnavailableRejection(error);
    },
  });
}

export function storeUnavailableRejection(cause: unknown): Rejection {
  return new Rejection('STORE_UNAVAILABLE', 'unavailable', 'The event store is not responding; try again.', {
    retryAfterSeconds: 2,
    cause,
  });
}
