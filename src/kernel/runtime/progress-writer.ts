/** Writes the note of the projector's progress: soon after something has moved, and at least each second. */
import { messageOf } from './message-of.ts';
import { pauseFor } from './pause-for.ts';
import { growingPause } from './try-again.ts';

export interface ProgressWriter {
  /** Something has moved that others may wait for. */
  moved(): void;
  /** Why the note cannot be written at the moment. */
  error(): string | undefined;
  /** Resolves after the write in progress. */
  stop(): Promise<void>;
}

export interface ProgressWriterOptions {
  /** Writes the note as it is now. */
  readonly write: () => Promise<void>;
  /** Called after each failure, with the milliseconds since the last success or the start. */
  readonly failed: (error: unknown, milliseconds: number) => void;
}

/** Milliseconds between the begins of two writes: while much moves, and while nothing does. */
const SHORTEST = 20;
const LONGEST = 1_000;
const PAUSES_AFTER_FAILURE = [100, 250, 500, 1_000, 2_000];

export function startProgressWriter({ write, failed }: ProgressWriterOptions): ProgressWriter {
  const stopping = new AbortController();
  let wake = new AbortController();
  let isDue = false;
  let error: string | undefined;

  async function run(): Promise<void> {
    let failures = 0;
    let lastSuccess = performance.now();
    while (!stopping.signal.aborted) {
      isDue = false;
      wake = new AbortController();
      const begun = performance.now();
      try {
        await write();
        failures = 0;
        error = undefined;
        lastSuccess = performance.now();
      } catch (problem) {
        error = messageOf(problem);
        failed(problem, performance.now() - lastSuccess);
        await pauseFor(growingPause(PAUSES_AFTER_FAILURE, failures), stopping.signal);
        failures += 1;
        continue;
      }
      await pauseFor(Math.max(0, SHORTEST - (performance.now() - begun)), stopping.signal);
      if (!isDue && !stopping.signal.aborted) await pauseFor(LONGEST, wake.signal);
    }
  }

  const running = run();
  return {
    moved() {
      isDue = true;
      wake.abort();
    },
    error: () => error,
    async stop() {
      stopping.abort();
      wake.abort();
      await running;
    },
  };
}
