/** Work of a role that no other process could take: begun again and again until it runs, and again when it has ended. */
import { messageOf } from '../runtime/message-of.ts';
import { pauseFor } from '../runtime/pause-for.ts';
import type { HeldWork } from './lease-keeper.ts';

export interface KeptWork<Work extends HeldWork> extends HeldWork {
  /** Undefined while it cannot begin. */
  current(): Work | undefined;
  /** Why it cannot begin. */
  error(): string | undefined;
  /** Resolves when it has begun, or has failed to for the first time. */
  readonly tried: Promise<void>;
}

/** Milliseconds. */
const PAUSES = [100, 500, 2_000];
const LONGEST_PAUSE = 5_000;

export function keepWorking<Work extends HeldWork>(options: {
  readonly begin: () => Promise<Work>;
  /** Called for the first of several failures in a row. */
  readonly failed: (error: string) => void;
}): KeptWork<Work> {
  const stopping = new AbortController();
  const stopped = abortedBy(stopping.signal);
  let work: Work | undefined;
  let error: string | undefined;
  let triedOnce = () => {};
  const tried = new Promise<void>((resolve) => {
    triedOnce = resolve;
  });

  async function run(): Promise<void> {
    for (let failures = 0; !stopping.signal.aborted; ) {
      try {
        work = await options.begin();
        failures = 0;
        error = undefined;
        triedOnce();
        await Promise.race([work.ended ?? stopped, stopped]);
        await work.stop();
      } catch (problem) {
        error = messageOf(problem);
        if (failures === 0) options.failed(error);
        failures += 1;
        triedOnce();
      }
      work = undefined;
      await pauseFor(PAUSES[failures - 1] ?? LONGEST_PAUSE, stopping.signal);
    }
  }

  const running = run();
  return {
    current: () => work,
    error: () => error,
    tried,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

function abortedBy(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
