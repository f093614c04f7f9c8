/**
 * Lets one process at a time hold a role, using a stream of the event store.
 *
 * Every event of the stream is appended at the last revision that its writer saw, so the store decides between rivals. The holder relies
 * on a recorded event for one ttl, counted from before it first sent the event, and renews in time. A contender takes over when it has
 * seen the same last event for 1.25 ttls, counted from after the first answer. The holder sent that event earlier, so it has stopped
 * relying on it by then. No two clocks are compared; only their rates matter, and the quarter covers a clock that is a tenth fast and
 * another that is a tenth slow (1.1 / 0.9 < 1.25).
 *
 * No lease can prevent this: an act that was sent during the term may arrive later, and a machine that was frozen with all its clocks
 * does not notice. So everything done under a lease also needs its own fence: see `fenced.ts`.
 */
import type { Logger } from '../ports/logger.ts';
import type { HeldWork, KeeperOptions, LeaseKeeper } from './lease-keeper.ts';
import { createLeaseLog, type LeaseLogOptions } from './lease-log.ts';
import { createLeaseStatus } from './lease-status.ts';
import { createLeaseTaking, type Taken } from './lease-taking.ts';
import { createLeaseWork } from './lease-work.ts';

/** The longest wait for one call to the store. Milliseconds. */
const LONGEST_PATIENCE = 5_000;

export interface LeaseOptions<Work extends HeldWork>
  extends KeeperOptions<Work>,
    Pick<LeaseLogOptions, 'store' | 'codec' | 'reader' | 'news'> {
  /** Milliseconds. After a crash nobody holds the role for up to 1.25 times this, plus one pause between reads. */
  readonly ttl: number;
  /** Whether the log has begun, or the lease may be its first event. Without this, it may. */
  readonly mayBegin?: () => Promise<boolean>;
  /** Gets a line on every change of the holder, on the first failure and on recovery. */
  readonly logger: Logger;
}

/** Contends for the role until it is stopped. */
export function holdLease<Work extends HeldWork>(options: LeaseOptions<Work>): LeaseKeeper<Work> {
  const { name, ttl, clock, logger, mayBegin = async () => true } = options;
  const stopping = new AbortController();
  const now = () => new Date(clock.wall()).toISOString();
  const status = createLeaseStatus({ name, now, logger });
  const log = createLeaseLog({
    ...options,
    patience: Math.min(ttl / 3, LONGEST_PATIENCE),
    failed: (error) => status.trouble('lease', error),
    succeeded: () => status.trouble('lease', undefined),
  });
  const lease = createLeaseTaking({ ...options, log, status, mayBegin, stopping: stopping.signal });
  const work = createLeaseWork({ ...options, status });

  async function serve(taken: Taken): Promise<void> {
    const { term, tenure } = taken;
    const giveUp = () => term.giveUp();
    stopping.signal.addEventListener('abort', giveUp);
    if (stopping.signal.aborted) giveUp();
    status.become('starting');
    const renewing = lease.renew(taken).catch((error) => {
      status.trouble('lease', error);
      term.end();
    });
    // In the background: the lease works on a long stream too.
    const shortening = log.shorten().catch((error) => status.trouble('lease', error));
    const leavesToOthers = await work.during(term);
    term.end();
    stopping.signal.removeEventListener('abort', giveUp);
    await Promise.all([renewing, shortening]);
    if (stopping.signal.aborted || leavesToOthers) await lease.release(tenure);
    status.become('waiting');
    // Gives another process the chance to do the work.
    if (leavesToOthers) await clock.pause(ttl, stopping.signal);
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const taken = await lease.contend();
      if (taken !== undefined) await serve(taken);
    }
    status.become('stopped');
  }

  const running = run();
  return {
    work: work.current,
    status: status.current,
    async stop() {
      stopping.abort();
      await running;
      log.close();
    },
  };
}
