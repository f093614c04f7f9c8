/** Tries again after growing pauses what failed for a reason that passes. */
import { pauseFor } from './pause-for.ts';

export interface TryAgainOptions {
  /**
   * Milliseconds after the first failure, after the second and so on; the last one stands for all later ones. A function
   * gets the number of earlier failures.
   */
  readonly pauses: readonly number[] | ((earlier: number, error: unknown) => number);
  /** Ends the trying: the last failure is thrown. */
  readonly signal?: AbortSignal;
  /** Gets each failure, with the number of those before it. Throws what must not be tried again. */
  readonly failed: (error: unknown, earlier: number) => void;
}

export async function tryAgain<Result>(
  attempt: () => Promise<Result>,
  { pauses, signal = new AbortController().signal, failed }: TryAgainOptions,
): Promise<Result> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      failed(error, failures);
      const pause = typeof pauses === 'function' ? pauses(failures, error) : growingPause(pauses, failures);
      await pauseFor(pause, signal);
      if (signal.aborted) throw error;
    }
  }
}

/** `failures`: those in a row before the latest. */
export function growingPause(pauses: readonly number[], failures: number): number {
  return pauses[failures] ?? pauses.at(-1) ?? 0;
}
