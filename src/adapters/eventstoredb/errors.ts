/** The errors of EventStoreDB. */
import { OperatorError } from '../../ports/operator-error.ts';

/** The server did not answer, or not in time. Whether it did the work is unknown. */
export class EventStoreSilent extends OperatorError {
  override readonly name = 'EventStoreSilent';
}

/** The start failed: the server does not answer, or refuses the user. */
export class EventStoreUnreachable extends OperatorError {
  override readonly name = 'EventStoreUnreachable';
}
