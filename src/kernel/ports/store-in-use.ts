/** A file that only one process may have open at a time. */
import { OperatorError } from './operator-error.ts';

/** The file is open elsewhere. Two processes on one log would each see only half of it. */
export class StoreInUse extends OperatorError {
  override readonly name = 'StoreInUse';
  constructor(path: string) {
    super(
      `"${path}" is in use: another process, or this one, has it open. Only one may; stop the other first`,
    );
  }
}
