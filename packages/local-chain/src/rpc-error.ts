/** Errors of calls, with the codes and messages of a real node. */
import type { Json } from './json.ts';

/** Thrown to return an error to the caller. Any other thrown error is a bug of ours. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: Json | undefined;
  constructor(code: number, message: string, data?: Json) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export const parseError = () => new RpcError(-32700, 'Parse error');
export const invalidRequest = (message = 'Invalid request') => new RpcError(-32600, message);
export const methodNotFound = () => new RpcError(-32601, 'Method not found');
export const invalidParams = (message: string) => new RpcError(-32602, message);
export const internalError = () => new RpcError(-32603, 'Internal error');

export const preflightFailure = (reason: string, result: Json) =>
  new RpcError(-32002, `Transaction simulation failed: ${reason}`, result);

export const signatureVerificationFailure = () =>
  new RpcError(-32003, 'Transaction signature verification failure');

export const blockNotAvailable = (slot: number) =>
  new RpcError(-32004, `Block not available for slot ${slot}`);

export const slotSkipped = (slot: number) =>
  new RpcError(-32007, `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`);

export const slotNotReached = (slot: number) =>
  new RpcError(-32016, 'Minimum context slot has not been reached', { contextSlot: slot });

export const unsupportedTransactionVersion = (version: number) =>
  new RpcError(
    -32015,
    `Transaction version (${version}) is not supported by the requesting client. ` +
      'Please try the request again with the following configuration parameter: ' +
      `"maxSupportedTransactionVersion": ${version}`,
  );

/**
 * Thrown if an executed transaction could not be recorded, so memory is ahead of the ledger. The process must exit: its
 * successor starts from the ledger, and the call never got a response.
 */
export class LedgerBehind extends Error {
  constructor(cause: unknown) {
    super('an executed transaction could not be recorded', { cause });
  }
}
