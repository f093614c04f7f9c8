/** An error whose message is a sentence for the operator: it says what is wrong, where, and what to do, and holds no secret. */

export class OperatorError extends Error {
  override readonly name: string = 'OperatorError';
}
