/** The generator of load as the benchmarks use it: a process of its own, given one job after the other. */
import { type ChildProcess, fork } from 'node:child_process';
import { answerOf, ended } from './child.ts';

/** In the headers or the body of a job: stands for a number in as many digits, another one for each request. */
export const SERIAL = '{a serial}';

export interface LoadJob {
  /** `http://127.0.0.1:port` */
  readonly url: string;
  readonly method: 'GET' | 'POST';
  /** Each connection asks for one after the other, and begins anew after the last. */
  readonly paths: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The numbers for `SERIAL`: from the first on, and round again after so many. */
  readonly serials?: { readonly first: number; readonly count?: number };
  /** Each has one request under way at any time. */
  readonly connections: number;
  /** Not counted. */
  readonly warmUpMilliseconds: number;
  readonly milliseconds: number;
}

export interface LoadResult {
  /** Answers a second, once it is warm. */
  readonly rate: number;
  /** In all, those of the warm-up too. */
  readonly answers: number;
  /** Milliseconds from sending to the last byte of the answer. */
  readonly p50: number;
  readonly p95: number;
  /** Of one answer's body. */
  readonly bytes: number;
}

export interface LoadGenerator {
  /** Rejects when an answer is not 200. */
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
