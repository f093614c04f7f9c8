/**
 * Pauses after transactions that failed on the chain. Each one cost a fee, so the pause before the next signature grows. Pure,
 * except for the map that is passed in.
 */
import { type Wait, waitFor } from '../../streams/distribution-wait.ts';

interface Failure {
  /** The latest failed transaction. */
  readonly signature: string;
  readonly error: string;
  readonly count: number;
  /** Earliest time of the next signature, in milliseconds. */
  readonly notBefore: number;
}

/** Failures by the name of the action. */
export type Failures = Map<string, Failure>;

const MIN_PAUSE = 5_000;
const MAX_PAUSE = 600_000;

/** Pause in milliseconds. `failures`: number before the latest. */
export function pauseAfterFailures(
  failures: number,
  { shortest = MIN_PAUSE, longest = MAX_PAUSE } = {},
): number {
  return Math.min(shortest * 2 ** failures, longest);
}

/** Records that a transaction failed; a signature counts once. */
export function recordFailure(
  failures: Failures,
  name: string,
  failed: Pick<Failure, 'signature' | 'error'> & { readonly at: number },
): void {
  const before = failures.get(name);
  if (before?.signature === failed.signature) return;
  const { signature, error, at } = failed;
  const count = before?.count ?? 0;
  failures.set(name, { signature, error, count: count + 1, notBefore: at + pauseAfterFailures(count) });
}

/** Remaining pause; undefined if the next transaction may be signed. */
export function pauseLeft(failures: Failures, name: string, now: number): Wait | undefined {
  const failure = failures.get(name);
  if (failure === undefined || now >= failure.notBefore) return undefined;
  const { signature, error, count, notBefore } = failure;
  const detail = `${count} transactions in a row failed on the chain, most recently ${signature}; the next one is signed at ${new Date(notBefore).toISOString()}.`;
  return waitFor('transaction-refused', detail, error);
}

/** Sum of all failures, to count those since an earlier call. */
export function failuresIn(failures: Failures): number {
  let sum = 0;
  for (const { count } of failures.values()) sum += count;
  return sum;
}
