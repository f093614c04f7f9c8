/** Subscribers of the event feed in a separate process. */
import { fork } from 'node:child_process';
import { ended } from './child.ts';

export interface SubscribersJob {
  /** `http://127.0.0.1:port` */
  readonly url: string;
  readonly count: number;
  /** Number of subscribers that reconnect repeatedly while that is ordered, and resume after their last event. */
  readonly restless: number;
}

export interface Progress {
  /** Minimum number of events that each subscriber with a stable connection has received. */
  readonly told: number;
  /** Total of all subscribers. */
  readonly deliveries: number;
  readonly bytes: number;
  readonly reconnections: number;
  /** True if the reconnecting subscribers have received at least as much as the others. */
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
  /** Resolves with the first progress that meets the condition. */
  until(condition: (progress: Progress) => boolean): Promise<Progress>;
  /**
   * The ids that every subscriber received, in this order and each once. Any difference would have ended the
   * process.
   */
  toldIds(): Promise<readonly string[]>;
  stop(): Promise<void>;
}

const TIMEOUT = 60_000;

/**
 * Resolves when all subscribers are live. All calls reject once a subscriber has received something else than the
 * others.
 */
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
