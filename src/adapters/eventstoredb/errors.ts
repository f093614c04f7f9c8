/** What can be wrong with EventStoreDB. */
import { OperatorError } from '../../ports/operator-error.ts';

/** The server did not answer in time, or not at all. Whether it did what it was asked is unknown. */
export class EventStoreSilent extends OperatorError {
  override readonly name = 'EventStoreSilent';
}

/** The start failed: the server does not answer, or refuses the user. */
export class EventStoreUnreachable extends OperatorError {
  override readonly name = 'EventStoreUnreachable';
}
