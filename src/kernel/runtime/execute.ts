/** The decision loop: load a stream, decide, append at the revision that was read, and decide again if it moved. */
import { LRUCache } from 'lru-cache';
import type { EventStore, ExpectedRevision, Position, RecordedEvent } from '../ports/event-store.ts';
import type { Clock } from './clock.ts';
import type { DomainEvent, StreamDefinition } from './define-stream.ts';
import { type EventCodec, EventUndecodable } from './event-codec.ts';
import { type EventReader, strictReader } from './event-reader.ts';
import { eventIdFor, randomId } from './ids.ts';
import { createKnownAppend } from './known-append.ts';
import { createKnownStreams, type KnownStreams } from './known-streams.ts';
import type { Known } from './loaded-stream.ts';
import { Rejection } from './rejection.ts';
import { createSnapshots, type ReadStream } from './snapshots.ts';
import { readFrom, storeUnavailable } from './store-calls.ts';
import { createStreamLoader, type LoadedForDecision, nameOf, type StreamLoader } from './stream-loader.ts';
import { createTurns } from './turns.ts';

/** Milliseconds. Writers of several processes win by chance, so a loser needs tries rather than pauses. */
const DECISION_PATIENCE = 5_000;

/**
 * Appends to one stream in a row without a read. A process that has lost has to read, and would never come between the
 * appends of one that has not.
 */
const MOST_IN_A_ROW = 8;
/** Streams whose appends in a row are counted. */
const COUNTED = 1_000;

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
  readonly beforeAppend?: ((known: Known<State, Event>) => Promise<void>) | undefined;
  /**
   * The caller comes again until nothing is left to do: if there is nothing to record, or a refusal, by what this process
   * knows, the store is not asked whether it holds more.
   */
  readonly comesAgain?: boolean;
  /** Takes a stream that this process does not know for absent; the append decides. */
  readonly isNew?: boolean;
}

export interface Executor extends StreamLoader {
  /**
   * Records what `decide` returns for the stream's state. `decide` must be pure: it first gets the state that this
   * process knows, and runs again on what the store shows when another writer came first, when there is nothing to record,
   * and when it throws. Writers of this process then take turns; writers of other processes may still come first, so it goes on for
   * `DECISION_PATIENCE`, and then rejects with `CONCURRENT_CHANGE`. Rejects with `STORE_UNAVAILABLE` when the store does
   * not answer, with `EventUndecodable` when an event of the stream cannot be decoded.
   */
  execute<State, Event extends DomainEvent>(
    stream: StreamDefinition<State, Event>,
    streamId: string,
    cause: Cause,
    decide: (state: State, known: Known<State, NoInfer<Event>>) => readonly NoInfer<Event>[],
    options?: ExecuteOptions<State, NoInfer<Event>>,
  ): Promise<Executed<State, Event>>;
  /** Tells of events that were recorded, by whichever process; they may come again, and late. */
  learn(events: readonly RecordedEvent[]): void;
}

export interface ExecutorOptions {
  /** Milliseconds after which a decision that always conflicts is given up. */
  readonly decisionPatience?: number;
  /** Without it, nothing is quarantined. */
  readonly reader?: Pick<EventReader, 'read'>;
  /** What is known of streams. Without it, the store is asked each time. */
  readonly streams?: KnownStreams;
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
    streams = createKnownStreams({ isFollowed: () => false }),
    snapshotFailed = () => {},
  }: ExecutorOptions = {},
): Executor {
  const turns = createTurns();
  const read: ReadStream = (stream, from, atMost) => readFrom(store, stream, from, atMost);
  const snapshots = createSnapshots({ store, read, codec, now: () => clock.now() });
  const { appended, remembered, ...loader } = createStreamLoader({
    read,
    decode,
    streams,
    snapshots,
    snapshotFailed,
  });
  const parts: DecisionParts = {
    codec,
    clock,
    load: loader.load,
    remembered,
    appended,
    append: createKnownAppend(store, streams),
    inARow: new LRUCache({ max: COUNTED }),
  };

  function decode(stored: RecordedEvent) {
    const found = reader.read(stored);
    return found instanceof Promise ? found.catch(failure) : found;
  }

  return {
    ...loader,
    learn: streams.learn,
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

      // After a conflict callers take turns, and so does who comes while they do: if all decided again at once, all but
      // one would conflict again.
      const first = turns.isTaken(name) ? undefined : await attempt();
      const executed = first ?? (await turns.take(name, attemptAgain));
      if (executed !== undefined) return executed;
      throw concurrentChange();
    },
  };
}

interface DecisionParts extends Pick<LoadedForDecision, 'load' | 'remembered' | 'appended'> {
  readonly codec: EventCodec;
  readonly clock: Clock;
  readonly append: ReturnType<typeof createKnownAppend>;
  /** By stream. */
  readonly inARow: LRUCache<string, number>;
}

interface DecisionCall<State, Event extends DomainEvent> extends ExecuteOptions<State, Event> {
  readonly stream: StreamDefinition<State, Event>;
  readonly streamId: string;
  readonly cause: Cause;
  readonly decide: (state: State, known: Known<State, Event>) => readonly Event[];
}

/** What it gives resolves with nothing when another writer came first. */
function createAttempt<State, Event extends DomainEvent>(
  { codec, clock, load, remembered, appended, append, inARow }: DecisionParts,
  call: DecisionCall<State, Event>,
): () => Promise<Executed<State, Event> | undefined> {
  const { stream, streamId, cause, decide, beforeAppend, comesAgain = false, isNew = false } = call;
  const name = nameOf(stream, streamId);
  // Not derived from the command: if the command ran twice at once, the store would take the second append for a
  // repetition of the first, and that caller would get events that nobody recorded.
  const run = randomId();
  let conflictedAt: ExpectedRevision | undefined;

  async function record(known: Known<State, Event>, decided: readonly Event[]) {
    const { revision: expected, position: before } = known;
    if (decided.length === 0)
      return { state: known.state, recorded: [], revision: expected, position: before };
    const occurredAt = clock.now().toISOString();
    const encoded = decided.map((event, index) =>
      codec.encode(stream.category, eventIdFor(run, index), event, { ...cause, occurredAt }),
    );
    await beforeAppend?.(known);
    const result = await append(name, expected, encoded);
    if (result.outcome === 'conflict') {
      conflictedAt = expected;
      return undefined;
    }
    inARow.set(name, (inARow.get(name) ?? 0) + 1);
    const { revision, position } = result;
    const state = decided.reduce(stream.evolve, known.state);
    appended(stream, streamId, { state, revision, eventId: eventIdFor(run, decided.length - 1) });
    return { state, recorded: decided, revision, position };
  }

  /** Undefined where what is known does not suffice. */
  async function decideOnKnown() {
    if ((inARow.get(name) ?? 0) >= MOST_IN_A_ROW) return undefined;
    const known = (await remembered(stream, streamId)) ?? (isNew ? neverRecorded(stream) : undefined);
    // After a conflict what was heard meanwhile is as new as a read, and sooner there: whoever has to read each time would
    // always come later than one who hears.
    if (known === undefined || known.revision === conflictedAt) return undefined;
    try {
      const decided = decide(known.state, known);
      return decided.length === 0 && !comesAgain ? undefined : { known, decided };
    } catch (refusal) {
      if (comesAgain) throw refusal;
      return undefined;
    }
  }

  return async () => {
    const made = await decideOnKnown();
    if (made !== undefined) return record(made.known, made.decided);
    const loaded = await load(stream, streamId);
    inARow.delete(name);
    return record(loaded, decide(loaded.state, loaded));
  };
}

function neverRecorded<State, Event extends DomainEvent>({
  initial,
}: StreamDefinition<State, Event>): Known<State, Event> {
  return {
    state: initial,
    events: [],
    revision: 'none',
    position: undefined,
    stateAfter: () => initial,
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
