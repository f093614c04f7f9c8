/** Runs a command: detects a repeated one, prepares once, decides until recorded, answers from what is recorded. */
import type { TSchema } from '@sinclair/typebox';
import type { Position } from '../ports/event-store.ts';
import type { CommandAnswer, CommandDefinition, CommandIds, CommandRunner } from './define-command.ts';
import { type Call, type InputOf, type InputSchemas, takesIdempotencyKey } from './define-route.ts';
import type { DomainEvent } from './define-stream.ts';
import type { Cause, Executor } from './execute.ts';
import { AlreadyRecorded, createKeyUse, keyReused } from './idempotency-key.ts';
import { commandIdFor, hashInput } from './ids.ts';
import { createOneAtATime } from './one-at-a-time.ts';
import { Rejection } from './rejection.ts';
import type { Loaded } from './stream-loader.ts';
import { createTurns } from './turns.ts';

/** How long a repeated call waits for the first, in milliseconds: longer than any call that does not hang. */
const REPETITION_PATIENCE = 30_000;

export interface CommandRunnerOptions {
  /** Milliseconds that a call waits for another one with its Idempotency-Key in this process. */
  readonly repetitionPatience?: number;
}

export function createCommandRunner<Services>(
  executor: Executor,
  services: Services,
  { repetitionPatience = REPETITION_PATIENCE }: CommandRunnerOptions = {},
): CommandRunner<Services> {
  const turns = createTurns();
  const oneAtATime = createOneAtATime(repetitionPatience);

  const run = async <
    State,
    Event extends DomainEvent,
    Schemas extends InputSchemas,
    Facts,
    Output extends TSchema,
  >(
    command: CommandDefinition<Services, State, Event, Schemas, Facts, Output>,
    input: InputOf<Schemas>,
    call: Call,
    { commandId, isKeyed }: { readonly commandId: string; readonly isKeyed: boolean },
  ): Promise<CommandAnswer> => {
    const cause: Cause = {
      commandId,
      inputHash: hashInput(input),
      correlationId: call.requestId,
      causationId: commandId,
      actor: call.actor,
      ...(call.traceparent === undefined ? {} : { traceparent: call.traceparent }),
    };
    let latest: Position | undefined;
    const observed = (position: Position | undefined) => {
      if (position !== undefined && (latest === undefined || position > latest)) latest = position;
    };
    const context = { services, call, cause, observed };
    const answer = async ({ state, position }: RecordedState<State>) => {
      observed(position);
      const output = await command.respond(state, input, context);
      return { output, position: latest, entityTag: command.entityTag?.(state) };
    };
    const answerAgain = (earlier: RecordedState<State>) => {
      call.onReplay?.();
      return answer(earlier);
    };

    const { stream } = command;
    const ids: CommandIds = { commandId, actor: call.actor, tokenId: call.tokenId };
    const streamId = command.streamId(input, ids);
    const keyUse =
      isKeyed && !isNamedAfterCommand(command, ids)
        ? createKeyUse({ executor, cause, route: nameOf(command), stream, streamId })
        : undefined;

    const recordedEarlier = async (): Promise<RecordedState<State> | undefined> => {
      if (!isKeyed) return undefined;
      const eventsFrom = keyUse === undefined ? 0 : await keyUse.lastAttempt();
      return asRecorded(await executor.load(stream, streamId, { eventsFrom }), cause);
    };

    let earlier = await recordedEarlier();
    if (earlier !== undefined) return answerAgain(earlier);

    let facts: Facts;
    try {
      facts = await command.prepare(input, context);
    } catch (refusal) {
      // The rejection may be due to the same call, recorded meanwhile in another process.
      earlier = await recordedEarlier();
      if (earlier !== undefined) return answerAgain(earlier);
      throw refusal;
    }
    let executed: RecordedState<State>;
    try {
      executed = await executor.execute(
        stream,
        streamId,
        cause,
        (state, loaded) => {
          earlier = asRecorded<State, Event>(loaded, cause);
          return earlier === undefined ? command.decide(state, input, facts, call.actor) : [];
        },
        keyUse && (({ revision }) => keyUse.use(revision === 'none' ? 0 : revision + 1)),
      );
    } catch (error) {
      if (!(error instanceof AlreadyRecorded)) throw error;
      earlier = await recordedEarlier();
      if (earlier === undefined) throw error;
      return answerAgain(earlier);
    }
    return earlier === undefined ? answer(executed) : answerAgain(earlier);
  };

  return (command, input, call) => {
    const isKeyed = call.idempotencyKey !== undefined && takesIdempotencyKey(command.route);
    const key = isKeyed ? call.idempotencyKey : undefined;
    const commandId = commandIdFor(call.actor, nameOf(command), key);
    const turn = command.turnOf?.(input, call.actor);
    const once = () => run(command, input, call, { commandId, isKeyed });
    const inTurn = () => (turn === undefined ? once() : turns.take(turn, once));
    return isKeyed ? oneAtATime.run(commandId, inTurn, stillUnderWay) : inTurn();
  };
}

/** The recorded state that a command is answered from. */
interface RecordedState<State> {
  readonly state: State;
  readonly position: Position | undefined;
}

function nameOf({ route }: { readonly route: { readonly method: string; readonly url: string } }): string {
  return `${route.method} ${route.url}`;
}

/**
 * The stream's state right after the command was recorded: the first answer was made from that, whatever came later.
 * Undefined if the command was not recorded there. Throws `IDEMPOTENCY_KEY_REUSED` if it was recorded for another
 * request.
 */
function asRecorded<State, Event extends DomainEvent>(
  { events, stateAfter }: Loaded<State, Event>,
  { commandId, inputHash }: Cause,
): RecordedState<State> | undefined {
  const own = events.findLast(({ metadata }) => metadata.commandId === commandId);
  if (own === undefined) return undefined;
  if (own.metadata.inputHash !== inputHash) throw keyReused();
  return { state: stateAfter(own), position: own.position };
}

/** Throws as soon as any of its properties is read. */
const UNREADABLE = new Proxy(
  {},
  {
    get() {
      throw new TypeError('there is no input to read');
    },
  },
);

/** Whether the command's id alone names its stream: then all requests with one key lead to the same stream. */
function isNamedAfterCommand<Schemas extends InputSchemas>(
  { streamId }: { readonly streamId: (input: InputOf<Schemas>, ids: CommandIds) => string },
  ids: CommandIds,
): boolean {
  const nameFor = (commandId: string) => streamId(UNREADABLE as InputOf<Schemas>, { ...ids, commandId });
  try {
    return nameFor(ids.commandId) !== nameFor('another');
  } catch {
    return false;
  }
}

function stillUnderWay(): Rejection {
  return new Rejection(
    'CONFIRMATION_PENDING',
    'pending',
    'The first call with this Idempotency-Key is still under way; the same call again is safe and tells its outcome.',
    { retryAfterSeconds: 2 },
  );
}
