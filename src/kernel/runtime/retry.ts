/** Retries an attempt after growing pauses, until it succeeds or fails permanently. p-retry supports no list of pauses. */
import { sleep } from './sleep.ts';

interface RetryOptions {
  /**
   * Milliseconds after the first failure, the second and so on; the last value applies to all later ones. A function
   * receives the number of earlier failures.
   */
  readonly pauses: readonly number[] | ((earlier: number, error: unknown) => number);
  /** Ends the retries; the last failure is thrown. */
  readonly signal?: AbortSignal;
  /** Receives each failure with the number of earlier ones. Throws failures that must not be retried. */
  readonly failed: (error: unknown, earlier: number) => void;
}

export async function retry<Result>(
  attempt: () => Promise<Result>,
  { pauses, signal = new AbortController().signal, failed }: RetryOptions,
): Promise<Result> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      failed(error, failures);
      const pause = typeof pauses === 'function' ? pauses(failures, error) : backoff(pauses, failures);
      await sleep(pause, signal);
      if (signal.aborted) throw error;
    }
  }
}

/** `failures`: number of consecutive failures before the latest. */
export function backoff(pauses: readonly number[], failures: number): number {
  return pauses[failures] ?? pauses.at(-1) ?? 0;
}
