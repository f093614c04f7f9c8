/** Repeats a task while the process runs: sooner when kicked, later after a failure. p-retry stops after the first success. */

import type { Logger } from '../ports/logger.ts';
import { CollectionNotLive } from '../ports/read-model.ts';
import type { Clock } from './clock.ts';
import { errorMessage } from './error-message.ts';
import { sleep } from './sleep.ts';

const MIN_BACKOFF = 250;
const MAX_BACKOFF = 10_000;

export type Repetition = ReturnType<typeof startRepetition>;

export function startRepetition(options: {
  readonly clock: Clock;
  /** Resolves with the milliseconds until the next run. */
  readonly work: () => Promise<number>;
  /** Maximum pause after a failure, in milliseconds; default ten seconds. */
  readonly longestBackoff?: () => number | undefined;
  /** Receives an entry on the first failure and on recovery. */
  readonly logger: Logger;
  readonly name: string;
}) {
  const { clock, work, logger, name } = options;
  const stopping = new AbortController();
  const since = clock.now().toISOString();
  let wake = new AbortController();
  let kicked = false;
  let failures = 0;
  let lastSuccess: string | undefined;
  let error: string | undefined;
  let pauseAfterSuccess = 0;

  async function run(): Promise<number> {
    try {
      const pause = await work();
      if (failures > 0) logger.warn({ name }, 'task recovered');
      failures = 0;
      error = undefined;
      lastSuccess = clock.now().toISOString();
      pauseAfterSuccess = pause;
      return pause;
    } catch (problem) {
      error = errorMessage(problem);
      // `CollectionNotLive` is normal after startup, until the read models have caught up.
      const level = problem instanceof CollectionNotLive ? 'info' : 'warn';
      if (failures === 0) logger[level]({ name, error }, 'task failed, retrying');
      failures += 1;
      const longest = options.longestBackoff?.() ?? MAX_BACKOFF;
      return Math.min(MIN_BACKOFF * 2 ** (failures - 1), longest);
    }
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      kicked = false;
      const pause = await run();
      if (kicked || stopping.signal.aborted) continue;
      wake = new AbortController();
      await sleep(pause, wake.signal);
    }
  }

  const running = loop();
  return {
    /** Runs the task immediately, or directly after the current run. */
    kick(): void {
      kicked = true;
      wake.abort();
    },
    status: () => ({
      /** Start of the repetition, ISO 8601. */
      since,
      /** ISO 8601; undefined until the first success. */
      lastSuccess,
      /** Error of the latest run; undefined if it succeeded. */
      error,
      /** Milliseconds of pause after the latest success, unless kicked. */
      pause: pauseAfterSuccess,
    }),
    /** Resolves after the current run. */
    async stop(): Promise<void> {
      stopping.abort();
      wake.abort();
      await running;
    },
  };
}
