/** Logs waits of runs, one line a minute for each cause: thousands of tokens may meet the same trouble at once. */
import type { Logger } from '../../kernel/ports/logger.ts';

export interface WaitsLog {
  /** Lines of one message and code have one cause. `now` in milliseconds. */
  warn(message: string, details: WaitDetails, now: number): void;
  /** Logs what was held back, once its minute is over. */
  flush(now: number): void;
  /** Logs everything that was held back. */
  end(): void;
}

type WaitDetails = { readonly tokenId: string; readonly code?: string } & Readonly<Record<string, unknown>>;

/** Milliseconds. */
const INTERVAL = 60_000;

interface Cause {
  readonly message: string;
  readonly loggedAt: number;
  /** Lines that were held back since, and the latest of them. */
  readonly count: number;
  readonly latest: WaitDetails | undefined;
}

export function createWaitsLog(logger: Pick<Logger, 'warn'>): WaitsLog {
  /** There are as many as there are codes. */
  const causes = new Map<string, Cause>();

  function log(message: string, latest: WaitDetails, count: number): void {
    logger.warn(count === 1 ? latest : { ...latest, count }, message);
  }

  return {
    warn(message, details, now) {
      const name = `${message} ${details.code}`;
      const cause = causes.get(name);
      if (cause !== undefined) {
        causes.set(name, { ...cause, count: cause.count + 1, latest: details });
        return;
      }
      causes.set(name, { message, loggedAt: now, count: 0, latest: undefined });
      log(message, details, 1);
    },
    flush(now) {
      for (const [name, { message, loggedAt, count, latest }] of causes) {
        // A clock may be set back.
        if (now >= loggedAt && now < loggedAt + INTERVAL) continue;
        if (latest === undefined) causes.delete(name);
        else {
          log(message, latest, count);
          causes.set(name, { message, loggedAt: now, count: 0, latest: undefined });
        }
      }
    },
    end() {
      for (const { message, count, latest } of causes.values())
        if (latest !== undefined) log(message, latest, count);
      causes.clear();
    },
  };
}
