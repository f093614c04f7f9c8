/** Pauses that end early when what they wait for may have happened. */
import { pauseFor } from './pause-for.ts';

export interface Pauses {
  /** Resolves when the time is over, on `endAll`, and when the signal is aborted. */
  until(milliseconds: number, signal: AbortSignal): Promise<void>;
  endAll(): void;
}

export function createPauses(): Pauses {
  const pausing = new Set<() => void>();
  return {
    async until(milliseconds, signal) {
      const over = new AbortController();
      const wake = () => over.abort();
      pausing.add(wake);
      signal.addEventListener('abort', wake);
      if (signal.aborted) wake();
      await pauseFor(milliseconds, over.signal);
      signal.removeEventListener('abort', wake);
      pausing.delete(wake);
    },
    endAll() {
      for (const wake of [...pausing]) wake();
    },
  };
}
