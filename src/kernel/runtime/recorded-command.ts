/** What a stream says of a command: whether it was recorded there, and the state that it was answered from. */
import type { Position } from '../ports/event-store.ts';
import type { DomainEvent } from './define-stream.ts';
import type { Cause } from './execute.ts';
import { keyReused } from './idempotency-key.ts';
import type { LoadedStream } from './stream-cache.ts';

/** The recorded state that a command is answered from. */
export interface RecordedState<State> {
  readonly state: State;
  readonly position: Position | undefined;
}

type Attempt = Pick<Cause, 'commandId' | 'inputHash'>;

/**
 * The stream's state right after the command was recorded: the first answer was made from that, whatever came later.
 * Undefined if the command was not recorded there. Throws `IDEMPOTENCY_KEY_REUSED` if it was recorded for another
 * request.
 */
export function asRecorded<State, Event extends DomainEvent>(
  { events, stateAfter }: Pick<LoadedStream<State, Event>, 'events' | 'stateAfter'>,
  { commandId, inputHash }: Attempt,
): RecordedState<State> | undefined {
  const own = events.findLast(({ metadata }) => metadata.commandId === commandId);
  if (own === undefined) return undefined;
  if (own.metadata.inputHash !== inputHash) throw keyReused();
  return { state: stateAfter(own), position: own.position };
}

/** What the command records: nothing if it, or another run of the same call, is recorded already. */
export function decideOnce<State, Event extends DomainEvent>(
  loaded: LoadedStream<State, Event>,
  attempt: Attempt,
  decide: (state: State) => readonly Event[],
): readonly Event[] {
  return asRecorded(loaded, attempt) === undefined ? decide(loaded.state) : [];
}
