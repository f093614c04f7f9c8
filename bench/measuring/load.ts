/** Load generator of the benchmarks: a separate process that runs one job at a time. */
import { type ChildProcess, fork } from 'node:child_process';
import { answerOf, ended } from './child.ts';

/**
 * Placeholder in the headers or the body of a job: replaced by a number with the same number of digits, different
 * for each request.
 */
export const SERIAL = '{a serial}';

export interface LoadJob {
  /** `http://127.0.0.1:port` */
  readonly url: string;
  readonly method: 'GET' | 'POST';
  /** Each connection requests the paths one after another, repeatedly. */
  readonly paths: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Numbers for `SERIAL`: `count` numbers from `first` on, repeatedly. */
  readonly serials?: { readonly first: number; readonly count?: number };
  /** Each connection has one request in progress. */
  readonly connections: number;
  /** Requests of the warm-up are not counted. */
  readonly warmUpMilliseconds: number;
  readonly milliseconds: number;
}

export interface LoadResult {
  /** Responses per second after the warm-up. */
  readonly rate: number;
  /** Number of all responses, including the warm-up. */
  readonly answers: number;
  /** Milliseconds from sending to the last byte of the response. */
  readonly p50: number;
  readonly p95: number;
  /** Bytes of one response body. */
  readonly bytes: number;
}

export interface LoadGenerator {
  /** Rejects if a response is not 200. */
  run(job: LoadJob): Promise<LoadResult>;
  stop(): Promise<void>;
}

export function startLoadGenerator(): LoadGenerator {
  const child: ChildProcess = fork(new URL('./load-generator.ts', import.meta.url));
  return {
    async run(job) {
      const answer = answerOf(child, job.warmUpMilliseconds + job.milliseconds + 30_000);
      child.send(job);
      const result = (await answer) as LoadResult | { readonly error: string };
      if ('error' in result) throw new Error(result.error);
      return result;
    },
    stop: () => ended(child),
  };
}
