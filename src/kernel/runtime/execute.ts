/** The decision loop: load a stream, decide, append at the revision that was read, and decide again if it moved. */
import { LRUCache } from 'lru-cache';
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
import { createSnapshots, type Milestone, type ReadStream, type Snapshots } from './snapshots.ts';
import { appendSurely, readFrom, storeUnavailable } from './store-calls.ts';
import { createStreamCache, type LoadedStream, type StreamCache } from './stream-cache.ts';
import {
  type CachingLoader,
  createStreamLoader,
  nameOf,
  type StreamLoader,
  type Trust,
} from './stream-loader.ts';

/** Milliseconds. Writers of several processes win by chance, so a loser needs tries rather than pauses. */
const DECISION_PATIENCE = 5_000;

/**
 * Appends to one stream without a read in between. A process whose append conflicted has to read, and would otherwise never
 * get between the appends of one that does not.
 */
const MOST_IN_A_ROW = 8;
/** Streams whose appends in a row are counted. */
const COUNTED = 1_000;
/** Milliseconds that a retried decision may hold up others on its stream: one that hangs must not block them. */
const LONGEST_TURN = 5_000;

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

export interface ExecuteOptions<State, Event extends DomainEvent> {
  /** Runs before each append; if it rejects, nothing is appended. */
  readonly beforeAppend?: ((loaded: LoadedStream<State, Event>) => Promise<void>) | undefined;
  /** `fresh` when absent. */
  readonly trust?: Trust;
}

export interface Executor extends StreamLoader {
  /**
   * Records the events that `decide` returns for the stream's state. `decide` must be pure: it first gets the cached state,
   * and runs again on what the store holds if another writer came first, and, unless `trust` is `cached`, if there is nothing to
   * record or it throws. After a conflict, writers of this process take turns; writers of other processes may still come
   * first, so it is retried for `DECISION_PATIENCE`, and then rejects with `CONCURRENT_CHANGE`. Rejects with
   * `STORE_UNAVAILABLE` when the store does not answer, with `EventUndecodable` when an event of the stream cannot be decoded.
   */
  execute<State, Event extends DomainEvent>(
    stream: StreamDefinition<State, Event>,
    streamId: string,
    cause: Cause,
    decide: (state: State, loaded: LoadedStream<State, Event>) => readonly NoInfer<Event>[],
    options?: ExecuteOptions<State, NoInfer<Event>>,
  ): Promise<Executed<State, Event>>;
  /** Caches events that any process has recorded; duplicates and late ones are ignored. */
  learn(events: readonly RecordedEvent[]): void;
}

export interface ExecutorOptions {
  /** Milliseconds after which a decision that always conflicts is abandoned. */
  readonly decisionPatience?: number;
  /** Without it, nothing is quarantined. */
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
    decisionPatience = DECISION_PATIENCE,
    reader = strictReader(codec),
    cache = createStreamCache({ isFollowed: () => false }),
    snapshotFailed = () => {},
  }: ExecutorOptions = {},
): Executor {
  const mutex = createKeyedMutex({ longestHold: LONGEST_TURN });
  const read: ReadStream = (stream, from, atMost) => readFrom(store, stream, from, atMost);
  const snapshots = createSnapshots({ store, read, codec, now: () => clock.now() });
  const { cached, load, check } = createStreamLoader({ read, decode, cache, snapshots });
  const parts: DecisionParts = {
    codec,
    clock,
    load,
    cached,
    append: (stream, expected, events) => appendAndCache({ store, cache }, stream, expected, events),
    snapshots,
    snapshotFailed,
    inARow: new LRUCache({ max: COUNTED }),
  };

  function decode(stored: RecordedEvent) {
    const found = reader.read(stored);
    return found instanceof Promise ? found.catch(failure) : found;
  }

  return {
    load,
    check,
    learn: cache.learn,
    async execute(stream, streamId, cause, decide, options = {}) {
      const name = nameOf(stream, streamId);
      const attempt = createAttempt(parts, { stream, streamId, cause, decide, ...options });
      const attemptAgain = async () => {
        const begun = performance.now();
        for (;;) {
          const executed = await attempt();
          if (executed !== undefined || performance.now() - begun >= decisionPatience) return executed;
        }
      };

      // After a conflict callers take turns, and so do those that follow meanwhile: if all decided again at once, all but one
      // would conflict again.
      const first = mutex.isHeld(name) ? undefined : await attempt();
      const executed = first ?? (await mutex.run(name, attemptAgain));
      if (executed !== undefined) return executed;
      throw concurrentChange();
    },
  };
}

interface DecisionParts extends Pick<CachingLoader, 'load' | 'cached'> {
  readonly codec: EventCodec;
  readonly clock: Clock;
  readonly append: EventStore['append'];
  readonly snapshots: Pick<Snapshots, 'take'>;
  readonly snapshotFailed: (error: unknown, stream: string) => void;
  /** By stream. */
  readonly inARow: LRUCache<string, number>;
}

interface DecisionCall<State, Event extends DomainEvent> extends ExecuteOptions<State, Event> {
  readonly stream: StreamDefinition<State, Event>;
  readonly streamId: string;
  readonly cause: Cause;
  readonly decide: (state: State, loaded: LoadedStream<State, Event>) => readonly Event[];
}

/** The returned function resolves with undefined if another writer came first. */
function createAttempt<State, Event extends DomainEvent>(
  parts: DecisionParts,
  call: DecisionCall<State, Event>,
): () => Promise<Executed<State, Event> | undefined> {
  const { codec, clock, load, cached, append, snapshots, snapshotFailed, inARow } = parts;
  const { stream, streamId, cause, decide, beforeAppend, trust = 'fresh' } = call;
  const name = nameOf(stream, streamId);
  // Not derived from the command: if the command ran twice concurrently, the store would take the second append for a
  // repetition of the first, and that caller would get events that nobody recorded.
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
    inARow.set(name, (inARow.get(name) ?? 0) + 1);
    const { revision, position } = result;
    const state = decided.reduce(stream.evolve, loaded.state);
    takeSnapshot({ state, revision, eventId: eventIdFor(run, decided.length - 1) }, decided.length);
    return { state, recorded: decided, revision, position };
  }

  /** In the background: without it, a load takes longer. */
  function takeSnapshot(milestone: Milestone<State>, added: number): void {
    const every = stream.snapshots?.every;
    if (every === undefined || (milestone.revision + 1) % every >= added) return;
    snapshots.take(stream, name, milestone).catch((error: unknown) => snapshotFailed(error, name));
  }

  /** Undefined where the cached state does not suffice. */
  async function decideOnCached() {
    if ((inARow.get(name) ?? 0) >= MOST_IN_A_ROW) return undefined;
    const found = await cached(stream, streamId);
    // After a conflict a state that was received meanwhile is as new as a read, and sooner there: a process that has to
    // read each time would always be later than one that does not.
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
    inARow.delete(name);
    return record(loaded, decide(loaded.state, loaded));
  };
}

/** Caches the appended event as a read would show it. */
async function appendAndCache(
  { store, cache }: { readonly store: Pick<EventStore, 'append'>; readonly cache: StreamCache },
  stream: string,
  expected: ExpectedRevision,
  events: readonly EventToAppend[],
): Promise<AppendResult> {
  try {
    const result = await appendSurely(store, stream, expected, events);
    if (result.outcome === 'conflict') return result;
    const { revision, position } = result;
    const [event, ...others] = events;
    // The store returns no position of the others.
    if (event === undefined || others.length > 0) cache.forget(stream);
    // A copy as JSON: without undefined properties, and not the caller's object.
    else
      cache.learn([{ ...(JSON.parse(JSON.stringify(event)) as EventToAppend), stream, revision, position }]);
    return result;
  } catch (error) {
    // It may have been written, now or later.
    cache.forget(stream);
    throw error;
  }
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
