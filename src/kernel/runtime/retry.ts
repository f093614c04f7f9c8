/** Retries an attempt after growing pauses, until it succeeds or must not be tried again. p-retry has no list of pauses. */
import { sleep } from './sleep.ts';

interface RetryOptions {
  /**
   * Milliseconds after the first failure, after the second and so on; the last one is used for all later ones. A function
   * gets the number of earlier failures.
   */
  readonly pauses: readonly number[] | ((earlier: number, error: unknown) => number);
  /** Ends the retries: the last failure is thrown. */
  readonly signal?: AbortSignal;
  /** Gets each failure, with the number of those before it. Throws what must not be tried again. */
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

/** `failures`: those in a row before the latest. */
export function backoff(pauses: readonly number[], failures: number): number {
  return pauses[failures] ?? pauses.at(-1) ?? 0;
}
