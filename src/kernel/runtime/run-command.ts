/** Runs a command: detects a repeated one, prepares once, decides until recorded, answers from what is recorded. */
import type { TSchema } from '@sinclair/typebox';
import type { Position } from '../ports/event-store.ts';
import { type CallIdentity, createCommandCall, nameOf } from './command-call.ts';
import type { CommandAnswer, CommandDefinition, CommandRunner } from './define-command.ts';
import { type Call, type InputOf, type InputSchemas, takesIdempotencyKey } from './define-route.ts';
import type { DomainEvent } from './define-stream.ts';
import type { Executed, Executor } from './execute.ts';
import { AlreadyRecorded } from './idempotency-key.ts';
import { commandIdFor } from './ids.ts';
import { createKeyedMutex } from './keyed-mutex.ts';
import { asRecorded, decideOnce } from './recorded-command.ts';
import { Rejection } from './rejection.ts';
import type { LoadedStream } from './stream-cache.ts';

/** How long a repeated call waits for the first, in milliseconds: longer than any call that does not hang. */
const REPETITION_PATIENCE = 30_000;
/** How long a call may hold up others of its `turnOf`, in milliseconds: one that hangs must not block them. */
const LONGEST_TURN = 5_000;

export interface CommandRunnerOptions {
  /** Milliseconds that a call waits for another one with its Idempotency-Key in this process. */
  readonly repetitionPatience?: number;
  /** Resolves when queries of this process show the position, or are not expected to soon. Without it, answers do not wait. */
  readonly whenShown?: ((position: Position) => Promise<void>) | undefined;
}

export function createCommandRunner<Services>(
  executor: Executor,
  services: Services,
  { repetitionPatience = REPETITION_PATIENCE, whenShown }: CommandRunnerOptions = {},
): CommandRunner<Services> {
  const turns = createKeyedMutex({ longestHold: LONGEST_TURN });
  const repetitions = createKeyedMutex({
    patience: { milliseconds: repetitionPatience, overdue: stillUnderWay },
  });

  return (command, input, call) => {
    const isKeyed = call.idempotencyKey !== undefined && takesIdempotencyKey(command.route);
    const key = isKeyed ? call.idempotencyKey : undefined;
    const commandId = commandIdFor(call.actor, nameOf(command), key);
    const turn = command.turnOf?.(input, call.actor);
    const once = async () => {
      const answer = await run({ executor, services }, command, input, call, { commandId, isKeyed });
      if (answer.position !== undefined) await whenShown?.(answer.position);
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
  parts: { readonly executor: Executor; readonly services: Services },
  command: CommandDefinition<Services, State, Event, Schemas, Facts, Output>,
  input: InputOf<Schemas>,
  call: Call,
  identity: CallIdentity,
): Promise<CommandAnswer> {
  const { cause, context, streamId, keyUse, ...own } = createCommandCall(
    parts,
    command,
    input,
    call,
    identity,
  );
  /** The problem may be due to the same call, recorded meanwhile in another process. */
  const answerAgainOr = async (problem: unknown) => {
    const earlier = await own.recordedEarlier();
    if (earlier === undefined) throw problem;
    return own.answerAgain(earlier);
  };

  const earlier = await own.recordedEarlier();
  if (earlier !== undefined) return own.answerAgain(earlier);
  let facts: Facts;
  try {
    facts = await command.prepare(input, context);
  } catch (refusal) {
    return answerAgainOr(refusal);
  }

  const last: { seen?: LoadedStream<State, Event> } = {};
  const decide = (_state: State, loaded: LoadedStream<State, Event>) => {
    last.seen = loaded;
    return decideOnce(loaded, cause, (state) => command.decide(state, input, facts, call.actor));
  };
  let executed: Executed<State, Event>;
  try {
    const use =
      keyUse &&
      (({ revision }: LoadedStream<State, Event>) => keyUse.use(revision === 'none' ? 0 : revision + 1));
    executed = await parts.executor.execute(command.stream, streamId, cause, decide, {
      beforeAppend: use,
    });
  } catch (error) {
    if (!(error instanceof AlreadyRecorded)) throw error;
    return answerAgainOr(error);
  }
  // Another process has recorded the same call between the look and the decision.
  const again = last.seen && asRecorded(last.seen, cause);
  return again === undefined ? own.answer(executed) : own.answerAgain(again);
}

function stillUnderWay(): Rejection {
  return new Rejection(
    'CONFIRMATION_PENDING',
    'pending',
    'The first call with this Idempotency-Key is still under way; the same call again is safe and tells its outcome.',
    { retryAfterSeconds: 2 },
  );
}
