/** Subscribers of the event feed in a process of their own, as a benchmark uses them. */
import { fork } from 'node:child_process';
import { ended } from './child.ts';

export interface SubscribersJob {
  /** `http://127.0.0.1:port` */
  readonly url: string;
  readonly count: number;
  /** Of them, so many lose their connection again and again while that is asked for, and come back for what they missed. */
  readonly restless: number;
}

export interface Progress {
  /** All who keep their connection have been told so many events, or more. */
  readonly told: number;
  /** Of all of them together. */
  readonly deliveries: number;
  readonly bytes: number;
  readonly reconnections: number;
  /** The restless have come as far as the others, or farther. */
  readonly isLevel: boolean;
}

export type SubscribersOrder = SubscribersJob | 'lose connections' | 'keep connections' | 'tell ids';

export type SubscribersReport =
  | { readonly kind: 'ready' }
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'ids'; readonly ids: readonly string[] }
  | { readonly kind: 'failed'; readonly reason: string };

export interface Subscribers {
  order(order: Exclude<SubscribersOrder, SubscribersJob>): void;
  /** Resolves with the first progress for which the condition holds. */
  until(condition: (progress: Progress) => boolean): Promise<Progress>;
  /** What each of them was told: all the same ids, in this order, each once. Anything else would have ended them. */
  toldIds(): Promise<readonly string[]>;
  stop(): Promise<void>;
}

const TIMEOUT = 60_000;

/** Resolves when all are told what happens. Everything rejects once one was told anything else than the others. */
export async function startSubscribers(job: SubscribersJob): Promise<Subscribers> {
  const child = fork(new URL('./subscribers-process.ts', import.meta.url));
  const order = (given: SubscribersOrder) => child.send(given);

  function next<T>(wanted: (report: SubscribersReport) => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => settle(() => reject(new Error('the subscribers took too long'))),
        TIMEOUT,
      );
      const gone = () => settle(() => reject(new Error('the subscribers are gone')));
      const heard = (report: SubscribersReport) => {
        if (report.kind === 'failed') return settle(() => reject(new Error(report.reason)));
        const found = wanted(report);
        if (found !== undefined) settle(() => resolve(found));
      };
      function settle(then: () => void): void {
        clearTimeout(timer);
        child.off('message', heard).off('exit', gone);
        then();
      }
      child.on('message', heard).once('exit', gone);
    });
  }

  const ready = next(({ kind }) => (kind === 'ready' ? true : undefined));
  order(job);
  await ready;
  return {
    order,
    until: (condition) =>
      next((report) =>
        report.kind === 'progress' && condition(report.progress) ? report.progress : undefined,
      ),
    toldIds() {
      const ids = next((report) => (report.kind === 'ids' ? report.ids : undefined));
      order('tell ids');
      return ids;
    },
    stop: () => ended(child),
  };
}
