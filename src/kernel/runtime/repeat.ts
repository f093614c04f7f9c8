/**
 * Repeats a task for as long as the process runs: sooner when kicked, later after a failure. p-retry does not do this:
 * it stops after the first success.
 */

import type { Logger } from '../ports/logger.ts';
import { CollectionNotLive } from '../ports/read-model.ts';
import type { Clock } from './clock.ts';
import { messageOf } from './message-of.ts';
import { sleep } from './sleep.ts';

const SHORTEST_BACKOFF = 250;
const LONGEST_BACKOFF = 10_000;

export type Repetition = ReturnType<typeof startRepetition>;

export function startRepetition(options: {
  readonly clock: Clock;
  /** Resolves with the pause until the next run, in milliseconds. */
  readonly work: () => Promise<number>;
  /** The longest pause after a failure, in milliseconds; ten seconds unless given. */
  readonly longestBackoff?: () => number | undefined;
  /** Gets a line on the first failure and on recovery. */
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
      error = messageOf(problem);
      // After a start with much to catch up with, it is only early.
      const level = problem instanceof CollectionNotLive ? 'info' : 'warn';
      if (failures === 0) logger[level]({ name, error }, 'task failed, retrying');
      failures += 1;
      const longest = options.longestBackoff?.() ?? LONGEST_BACKOFF;
      return Math.min(SHORTEST_BACKOFF * 2 ** (failures - 1), longest);
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
    /** Runs the task immediately, or directly after the run in progress. */
    kick(): void {
      kicked = true;
      wake.abort();
    },
    status: () => ({
      /** ISO 8601: the start of the repetition. */
      since,
      /** ISO 8601; undefined until the first success. */
      lastSuccess,
      /** The error of the latest run; undefined if it succeeded. */
      error,
      /** Milliseconds of pause after the latest success, unless kicked. */
      pause: pauseAfterSuccess,
    }),
    /** Resolves after the run in progress. */
    async stop(): Promise<void> {
      stopping.abort();
      wake.abort();
      await running;
    },
  };
}
