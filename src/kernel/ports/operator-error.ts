/** An error whose message is a sentence for the operator: what is wrong, where, and what to do. It holds no secret. */

export class OperatorError extends Error {
  override readonly name: string = 'OperatorError';
}
