/**
 * Detects if a transaction in a block was executed. Inclusion does not prove execution (SIMD-0290): if the payer cannot pay, the
 * transaction has no effect and consumes no nonce value, and the same bytes may be executed in a later block.
 */

/** Errors of transactions that are neither executed nor charged. */
const PAYER_CANNOT_PAY: ReadonlySet<unknown> = new Set([
  'AccountNotFound',
  'InsufficientFundsForFee',
  'InvalidAccountForFee',
]);

interface Included {
  /** The chain's error as JSON text; undefined if the transaction succeeded. */
  readonly error: string | undefined;
  /** Lamports charged to the payer. */
  readonly fee: bigint;
}

/** True if the transaction succeeded, or failed and its payer was charged. */
export function wasExecuted({ error, fee }: Included): boolean {
  return error === undefined || (fee > 0n && !PAYER_CANNOT_PAY.has(kindOf(error)));
}

/** True if the error alone proves execution. An error about the payer's rent does not: it may precede or follow the execution. */
export function wasCertainlyExecuted(error: string): boolean {
  const kind = kindOf(error);
  if (PAYER_CANNOT_PAY.has(kind)) return false;
  const rent: unknown = Reflect.get(Object(kind), 'InsufficientFundsForRent');
  return Reflect.get(Object(rent), 'account_index') !== 0;
}

function kindOf(error: string): unknown {
  try {
    return JSON.parse(error);
  } catch {
    // An adapter may return plain text.
    return error;
  }
}
