/**
 * Detects whether a transaction in a block was executed there. Inclusion does not prove it (SIMD-0290): if the payer cannot
 * pay, the transaction has no effect, spends no nonce value, and the same bytes may still run in a later block.
 */

/** Errors that say so by themselves: nothing is executed, and nothing charged. */
const PAYER_CANNOT_PAY: ReadonlySet<unknown> = new Set([
  'AccountNotFound',
  'InsufficientFundsForFee',
  'InvalidAccountForFee',
]);

interface Included {
  /** The chain's error as JSON text; undefined if the transaction succeeded. */
  readonly error: string | undefined;
  /** The lamports that its payer was charged for it. */
  readonly fee: bigint;
}

/** Detected by its effect: the payer of an executed transaction was charged. */
export function hasRun({ error, fee }: Included): boolean {
  return error === undefined || (fee > 0n && !PAYER_CANNOT_PAY.has(kindOf(error)));
}

/** Detected by the error alone: the payer's rent is checked before and after the execution. */
export function hasSurelyRun(error: string): boolean {
  const kind = kindOf(error);
  if (PAYER_CANNOT_PAY.has(kind)) return false;
  const rent: unknown = Reflect.get(Object(kind), 'InsufficientFundsForRent');
  return Reflect.get(Object(rent), 'account_index') !== 0;
}

function kindOf(error: string): unknown {
  try {
    return JSON.parse(error);
  } catch {
    // An adapter may give it as text.
    return error;
  }
}
