/** An error whose message is a sentence for the operator: what is wrong, where, and what to do. It holds no secret. */

export class OperatorError extends Error {
  override readonly name: string = 'OperatorError';
}

/** Somebody was killed who had made the place and written nothing to it yet. */
export class NothingWritten extends OperatorError {}
