/** The errors of EventStoreDB. */

import { OperatorError, StoreUnavailable } from '../../kernel/ports/errors.ts';
import { messageOf } from '../../kernel/runtime/message-of.ts';

/** The server did not answer, or not in time. Whether it did the work is unknown. */
export class EventStoreSilent extends StoreUnavailable {
  /** The gRPC code of the last try, where there was an answer. */
  readonly code: unknown;

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  }
}

/** The error of a call that may succeed later: it was tried again, in vain. */
export function silenceAfter(error: unknown): EventStoreSilent {
  const reason = messageOf(error);
  return new EventStoreSilent(`the event store does not answer: ${reason}`, error);
}

/** The start failed: the server does not answer, or refuses the user. */
export class EventStoreUnreachable extends OperatorError {
  override readonly name = 'EventStoreUnreachable';
}
