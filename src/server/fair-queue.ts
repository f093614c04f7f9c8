/** Runs work serially. Sources alternate, so that one with much work delays the others by one piece of it. */

interface Job {
  readonly start: () => Promise<void>;
}

/** The caller bounds how much work waits. */
export function createFairQueue() {
  /** The source whose turn is next comes first. */
  const waiting = new Map<string, Set<Job>>();
  let isBusy = false;

  function remove(source: string, job: Job): void {
    const jobs = waiting.get(source);
    jobs?.delete(job);
    if (jobs?.size === 0) waiting.delete(source);
  }

  async function startNext(): Promise<void> {
    const [[source, jobs] = []] = waiting;
    const [job] = jobs ?? [];
    isBusy = job !== undefined;
    if (source === undefined || jobs === undefined || job === undefined) return;
    remove(source, job);
    if (jobs.size > 0) {
      // Behind all other sources.
      waiting.delete(source);
      waiting.set(source, jobs);
    }
    await job.start();
    void startNext();
  }

  return {
    /** Pieces of work whose turn has not come. */
    get waiting(): number {
      return [...waiting.values()].reduce((sum, jobs) => sum + jobs.size, 0);
    },
    /** Rejects with the signal's reason, without running the work, if the signal aborts before the turn comes. */
    run<Result>(source: string, work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
      return new Promise((resolve, reject) => {
        const job: Job = {
          start() {
            signal.removeEventListener('abort', leave);
            return work().then(resolve, reject);
          },
        };
        const leave = () => {
          remove(source, job);
          reject(signal.reason);
        };
        if (signal.aborted) return leave();
        signal.addEventListener('abort', leave, { once: true });
        waiting.set(source, (waiting.get(source) ?? new Set<Job>()).add(job));
        if (!isBusy) void startNext();
      });
    },
  };
}
