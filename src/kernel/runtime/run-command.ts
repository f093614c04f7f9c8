/** Runs a command: detects repetitions, prepares once, decides until recorded, and responds from the recorded state. */
import type { TSchema } from '@sinclair/typebox';
import type { Position } from '../ports/event-store.ts';
import {
  AcceptedForLater,
  type CommandAnswer,
  type CommandContext,
  type CommandDefinition,
  type CommandIds,
  type CommandRunner,
} from './define-command.ts';
import { type Call, type InputOf, type InputSchemas, takesIdempotencyKey } from './define-route.ts';
import type { DomainEvent } from './define-stream.ts';
import type { Cause, Executed, Executor } from './execute.ts';
import { AlreadyRecorded, createKeyUse, keyReusedRejection } from './idempotency-key.ts';
import { commandIdFor, hashInput } from './ids.ts';
import { createKeyedMutex } from './keyed-mutex.ts';
import { Rejection } from './rejection.ts';
import type { LoadedStream } from './stream-cache.ts';

/** Milliseconds that a repeated call waits for the first; longer than any call that does not hang. */
const REPETITION_TIMEOUT = 30_000;
/** Milliseconds that a call may block other calls with the same `lockOf`; a hanging call releases the lock then. */
const MAX_HOLD = 5_000;

interface CommandRunnerOptions {
  /** Milliseconds that a call waits for another with the same Idempotency-Key in this process. */
  readonly repetitionTimeout?: number;
  /**
   * Resolves once queries of this process include the position, or are not expected to soon. Without it, responses do not
   * wait.
   */
  readonly untilProjected?: ((position: Position) => Promise<void>) | undefined;
}

export function createCommandRunner<Services>(
  executor: Executor,
  services: Services,
  { repetitionTimeout = REPETITION_TIMEOUT, untilProjected }: CommandRunnerOptions = {},
): CommandRunner<Services> {
  const turns = createKeyedMutex({ longestHold: MAX_HOLD });
  const repetitions = createKeyedMutex({
    patience: { milliseconds: repetitionTimeout, overdue: stillRunningRejection },
  });

  return (command, input, call) => {
    const isKeyed = call.idempotencyKey !== undefined && takesIdempotencyKey(command.route);
    const key = isKeyed ? call.idempotencyKey : undefined;
    const commandId = commandIdFor(call.actor, nameOf(command), key);
    const turn = command.lockOf?.(input, call.actor);
    const once = async () => {
      const answer = await run({ executor, services }, command, input, call, { commandId, isKeyed });
      if (answer.position !== undefined) await untilProjected?.(answer.position);
      return answer;
    };
    const inTurn = () => (turn === undefined ? once() : turns.run(turn, once));
    return isKeyed ? repetitions.run(commandId, inTurn) : inTurn();
  };
}

async function run<
  Services,
  State,
  Event extends DomainEvent,
  Schemas extends InputSchemas,
  Facts,
  Output extends TSchema,
>(
  { executor, services }: { readonly executor: Executor; readonly services: Services },
  command: CommandDefinition<Services, State, Event, Schemas, Facts, Output>,
  input: InputOf<Schemas>,
  call: Call,
  { commandId, isKeyed }: { readonly commandId: string; readonly isKeyed: boolean },
): Promise<CommandAnswer> {
  const { stream } = command;
  const { actor, requestId, traceparent } = call;
  const inputHash = isKeyed ? hashInput(input) : '';
  const cause = {
    commandId,
    inputHash,
    correlationId: requestId,
    causationId: commandId,
    actor,
    traceparent,
  };
  const ids: CommandIds = { commandId, actor, tokenId: call.tokenId };
  const streamId = command.streamId(input, ids);
  const keyUse =
    isKeyed && !isNamedAfterCommand(command, ids)
      ? createKeyUse({ executor, cause, route: nameOf(command), stream, streamId })
      : undefined;

  let latest: Position | undefined;
  const observed = (position: Position | undefined) => {
    if (position !== undefined && (latest === undefined || position > latest)) latest = position;
  };
  const context: CommandContext<Services> = { services, call, cause, observed };

  async function answer({ state, position }: RecordedState<State>): Promise<CommandAnswer> {
    observed(position);
    try {
      const output = await command.respond(state, input, context);
      return { output, position: latest, entityTag: command.entityTag?.(state) };
    } catch (error) {
      if (!(error instanceof AcceptedForLater)) throw error;
      return { output: undefined, position: latest, acceptedAt: error.location };
    }
  }

  /** Undefined for calls without a key, and if this call has recorded nothing before. */
  async function recordedEarlier(): Promise<RecordedState<State> | undefined> {
    if (!isKeyed) return undefined;
    const eventsFrom = keyUse === undefined ? 0 : await keyUse.recordedFrom();
    return asRecorded(await executor.load(stream, streamId, { eventsFrom }), cause);
  }

  /** Another process may have recorded the same call concurrently, which explains the problem. */
  async function answerAgainOr(problem: unknown): Promise<CommandAnswer> {
    const recorded = await recordedEarlier();
    if (recorded === undefined) throw problem;
    return answer(recorded);
  }

  const earlier = await recordedEarlier();
  if (earlier !== undefined) return answer(earlier);
  let facts: Facts;
  try {
    facts = await command.prepare(input, context);
  } catch (refusal) {
    return answerAgainOr(refusal);
  }

  const last: { seen?: LoadedStream<State, Event> } = {};
  const decide = (_state: State, loaded: LoadedStream<State, Event>) => {
    last.seen = loaded;
    return decideOnce(loaded, cause, (state) => command.decide(state, input, facts, actor));
  };
  let executed: Executed<State, Event>;
  try {
    const beforeAppend =
      keyUse &&
      (({ revision }: LoadedStream<State, Event>) => keyUse.use(revision === 'none' ? 0 : revision + 1));
    executed = await executor.execute(stream, streamId, cause, decide, { beforeAppend });
  } catch (error) {
    if (!(error instanceof AlreadyRecorded)) throw error;
    return answerAgainOr(error);
  }
  // Another process may have recorded the same call between the first read and the decision.
  const again = last.seen && asRecorded(last.seen, cause);
  return answer(again ?? executed);
}

/** Recorded state from which a command builds its response. */
interface RecordedState<State> {
  readonly state: State;
  readonly position: Position | undefined;
}

type Attempt = Pick<Cause, 'commandId' | 'inputHash'>;

/**
 * Stream state right after the command was recorded, from which the first response was built, regardless of later events.
 * Undefined if the command is not recorded there. Throws `IDEMPOTENCY_KEY_REUSED` if it was recorded for another request.
 */
function asRecorded<State, Event extends DomainEvent>(
  { events, stateAfter }: Pick<LoadedStream<State, Event>, 'events' | 'stateAfter'>,
  { commandId, inputHash }: Attempt,
): RecordedState<State> | undefined {
  const own = events.findLast(({ metadata }) => metadata.commandId === commandId);
  if (own === undefined) return undefined;
  if (own.metadata.inputHash !== inputHash) throw keyReusedRejection();
  return { state: stateAfter(own), position: own.position };
}

/** Events of the command; none if it, or another run of the same call, is already recorded. */
function decideOnce<State, Event extends DomainEvent>(
  loaded: LoadedStream<State, Event>,
  attempt: Attempt,
  decide: (state: State) => readonly Event[],
): readonly Event[] {
  return asRecorded(loaded, attempt) === undefined ? decide(loaded.state) : [];
}

function nameOf({ route }: { readonly route: { readonly method: string; readonly url: string } }): string {
  return `${route.method} ${route.url}`;
}

/**
 * True if the command's id alone determines its stream, so that all requests with one key lead to the same stream. Called
 * without an input, a function that uses the input throws.
 */
function isNamedAfterCommand<Schemas extends InputSchemas>(
  { streamId }: { readonly streamId: (input: InputOf<Schemas>, ids: CommandIds) => string },
  ids: CommandIds,
): boolean {
  const nameFor = (commandId: string) => streamId(undefined as never, { ...ids, commandId });
  try {
    return nameFor(ids.commandId) !== nameFor('another');
  } catch {
    return false;
  }
}

function stillRunningRejection(): Rejection {
  return new Rejection(
    'CONFIRMATION_PENDING',
    'pending',
    'The first call with this Idempotency-Key is still running; repeat the same call to get its outcome.',
    { retryAfterSeconds: 2 },
  );
}
