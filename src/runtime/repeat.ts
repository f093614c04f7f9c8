/** Runs a piece of work again and again in one process, sooner when asked, later when it fails. */
import type { Clock } from './clock.ts';
import { pauseFor } from './subscription-runner.ts';

export interface RepetitionStatus {
  /** ISO 8601; undefined while it never succeeded. */
  readonly lastSuccess: string | undefined;
  /** Of the latest run; undefined if it went well. */
  readonly error: string | undefined;
  /** How long it rests after its latest success, unless it is kicked. Milliseconds. */
  readonly pause: number;
}

export interface Repetition {
  /** Runs it at once, or once more directly after the run that is under way. */
  kick(): void;
  status(): RepetitionStatus;
  /** Resolves after the run that is under way. */
  stop(): Promise<void>;
}

export interface RepetitionOptions {
  readonly clock: Clock;
  /** Resolves with the pause until the next run, in milliseconds. */
  readonly work: () => Promise<number>;
  /** Called when it begins to fail, and when it works again. */
  readonly report: (message: string, details: object) => void;
  readonly name: string;
}

const SHORTEST_BACKOFF = 250;
const LONGEST_BACKOFF = 10_000;

export function startRepetition({ clock, work, report, name }: RepetitionOptions): Repetition {
  const stopping = new AbortController();
  let wake = new AbortController();
  let kicked = false;
  let failures = 0;
  let lastSuccess: string | undefined;
  let error: string | undefined;
  let pauseAfterSuccess = 0;

  async function run(): Promise<number> {
    try {
      const pause = await work();
      if (failures > 0) report('works again', { name });
      failures = 0;
      error = undefined;
      lastSuccess = clock.now().toISOString();
      pauseAfterSuccess = pause;
      return pause;
    } catch (problem) {
      error = problem instanceof Error ? problem.message : String(problem);
      if (failures === 0) report('fails and will be repeated', { name, error });
      failures += 1;
      return Math.min(SHORTEST_BACKOFF * 2 ** (failures - 1), LONGEST_BACKOFF);
    }
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      kicked = false;
      const pause = await run();
      if (kicked || stopping.signal.aborted) continue;
      wake = new AbortController();
      await pauseFor(pause, wake.signal);
    }
  }

  const running = loop();
  return {
    kick() {
      kicked = true;
      wake.abort();
    },
    status: () => ({ lastSuccess, error, pause: pauseAfterSuccess }),
    async stop() {
      stopping.abort();
      wake.abort();
      await running;
    },
  };
}
