/** Serial queue that alternates between sources, so that a source with much work delays every other source by one job. */

interface Job {
  readonly start: () => Promise<void>;
}

/** The queue is unbounded; the caller limits the number of waiting jobs. */
export function createFairQueue() {
  /** The next source comes first. */
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
      // Moves the source to the end of the queue.
      waiting.delete(source);
      waiting.set(source, jobs);
    }
    await job.start();
    void startNext();
  }

  return {
    /** Number of jobs that have not started. */
    get waiting(): number {
      return [...waiting.values()].reduce((sum, jobs) => sum + jobs.size, 0);
    },
    /** Rejects with the signal's reason, without running the work, if the signal aborts before the work starts. */
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
