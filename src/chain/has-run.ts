/**
 * Tells whether a transaction that stands in a block was executed there. Inclusion does not say so (SIMD-0290): where the payer cannot
 * pay, the transaction has no effect at all, spends no nonce value, and the same bytes may still run in a later block.
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

/** By its effect: whatever was executed, its payer was charged for. */
export function hasRun({ error, fee }: Included): boolean {
  return error === undefined || (fee > 0n && !PAYER_CANNOT_PAY.has(kindOf(error)));
}

/** By the error alone: the payer's rent is checked before the execution and after it. */
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
