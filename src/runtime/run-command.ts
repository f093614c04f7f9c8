/** Runs a command: meets its repetition, prepares once, decides until recorded, answers from what is recorded. */
import type { Position } from '../ports/event-store.ts';
import type { CommandRunner } from './define-command.ts';
import type { Recorded } from './event-codec.ts';
import type { Cause, Executor } from './execute.ts';
import { commandIdFor, hashInput } from './ids.ts';
import { Rejection } from './rejection.ts';
import { createTurns } from './turns.ts';

export function createCommandRunner<Services>(
  executor: Executor,
  services: Services,
): CommandRunner<Services> {
  const turns = createTurns();
  const run: CommandRunner<Services> = async (command, input, call) => {
    const commandId = commandIdFor(
      call.actor,
      `${command.route.method} ${command.route.url}`,
      call.idempotencyKey,
    );
    const cause: Cause = {
      commandId,
      inputHash: hashInput(input),
      correlationId: call.requestId,
      causationId: commandId,
      actor: call.actor,
    };
    let latest: Position | undefined;
    const observed = (position: Position | undefined) => {
      if (position !== undefined && (latest === undefined || position > latest)) latest = position;
    };
    const context = { services, call, cause, observed };
    const streamId = command.streamId(input, { commandId, actor: call.actor, tokenId: call.tokenId });

    if (call.idempotencyKey !== undefined) {
      const met = await executor.load(command.stream, streamId);
      if (isRepetition(met.events, cause)) {
        observed(met.position);
        const output = await command.respond(met.state, input, context);
        return { output, position: latest, entityTag: command.entityTag?.(met.state) };
      }
    }

    const facts = await command.prepare(input, context);
    const { state, position } = await executor.execute(
      command.stream,
      streamId,
      cause,
      // The same key may be on its way twice at once: the other one may have recorded while this one prepared.
      (current, { events }) =>
        isRepetition(events, cause) ? [] : command.decide(current, input, facts, call.actor),
    );
    observed(position);
    const output = await command.respond(state, input, context);
    return { output, position: latest, entityTag: command.entityTag?.(state) };
  };
  return (command, input, call) => {
    const key = command.turnOf?.(input, call.actor);
    const work = () => run(command, input, call);
    return key === undefined ? work() : turns.take(`${command.name}/${key}`, work);
  };
}

/** Whether the command has been recorded already. Rejects with `IDEMPOTENCY_KEY_REUSED` if that had another input. */
function isRepetition(events: readonly Recorded[], { commandId, inputHash }: Cause): boolean {
  const earlier = events.find((event) => event.metadata.commandId === commandId);
  if (earlier === undefined) return false;
  if (earlier.metadata.inputHash === inputHash) return true;
  throw new Rejection(
    'IDEMPOTENCY_KEY_REUSED',
    'unprocessable',
    'This Idempotency-Key was used for another request; use a new key for a new request.',
  );
}
