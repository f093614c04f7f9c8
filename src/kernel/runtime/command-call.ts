/** One call of a command: its cause, the stream in which it is recorded, and how it is answered. */
import type { TSchema } from '@sinclair/typebox';
import type { Position } from '../ports/event-store.ts';
import {
  AcceptedForLater,
  type CommandAnswer,
  type CommandContext,
  type CommandDefinition,
  type CommandIds,
} from './define-command.ts';
import type { Call, InputOf, InputSchemas } from './define-route.ts';
import type { DomainEvent } from './define-stream.ts';
import type { Cause, Executor } from './execute.ts';
import { createKeyUse, type KeyUse } from './idempotency-key.ts';
import { hashInput } from './ids.ts';
import { asRecorded, type RecordedState } from './recorded-command.ts';

export interface CommandCall<Services, State> {
  readonly cause: Cause;
  readonly context: CommandContext<Services>;
  readonly streamId: string;
  /** Undefined without a key, and where the key alone leads to the stream. */
  readonly keyUse: KeyUse | undefined;
  /** What this call has recorded before; undefined if nothing, and without a key. */
  recordedEarlier(): Promise<RecordedState<State> | undefined>;
  answer(recorded: RecordedState<State>): Promise<CommandAnswer>;
  /** The caller is told that nothing was done anew. */
  answerAgain(earlier: RecordedState<State>): Promise<CommandAnswer>;
}

export interface CallIdentity {
  readonly commandId: string;
  /** Whether it has an Idempotency-Key that the command takes. */
  readonly isKeyed: boolean;
}

export function createCommandCall<
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
  { commandId, isKeyed }: CallIdentity,
): CommandCall<Services, State> {
  const { stream } = command;
  const cause = causeFor(commandId, isKeyed ? hashInput(input) : '', call);
  const ids: CommandIds = { commandId, actor: call.actor, tokenId: call.tokenId };
  const streamId = command.streamId(input, ids);
  const isNamedAfterIt = isNamedAfterCommand(command, ids);
  const keyUse =
    isKeyed && !isNamedAfterIt
      ? createKeyUse({ executor, cause, route: nameOf(command), stream, streamId })
      : undefined;

  let latest: Position | undefined;
  const observed = (position: Position | undefined) => {
    if (position !== undefined && (latest === undefined || position > latest)) latest = position;
  };
  const context = { services, call, cause, observed };

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

  return {
    cause,
    context,
    streamId,
    keyUse,
    answer,
    async answerAgain(earlier) {
      call.onReplay?.();
      return answer(earlier);
    },
    async recordedEarlier() {
      if (!isKeyed) return undefined;
      const eventsFrom = keyUse === undefined ? 0 : await keyUse.lastAttempt();
      return asRecorded(await executor.load(stream, streamId, { eventsFrom }), cause);
    },
  };
}

export function nameOf({
  route,
}: {
  readonly route: { readonly method: string; readonly url: string };
}): string {
  return `${route.method} ${route.url}`;
}

function causeFor(commandId: string, inputHash: string, { requestId, actor, traceparent }: Call): Cause {
  const cause = {
    commandId,
    inputHash,
    correlationId: requestId,
    causationId: commandId,
    actor,
  };
  return traceparent === undefined ? cause : { ...cause, traceparent };
}

/**
 * Whether the command's id alone names its stream: then all requests with one key lead to the same stream. Without an
 * input, what reads from it throws.
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
