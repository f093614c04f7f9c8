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
import { type LeaseEvent, LeaseReleased, LeaseRenewed, LeaseTaken, type Tenure } from '../streams/lease.ts';
import { type LeaseClock, longestSince, momentOf } from './lease-clock.ts';
import type { HeldWork, KeeperOptions, LeaseKeeper } from './lease-keeper.ts';
import { createLeaseLog, type LeaseLog, type LeaseLogOptions, type LeaseTail } from './lease-log.ts';
import { createLeaseStatus } from './lease-status.ts';
import { createTerm, type RunningTerm } from './lease-term.ts';
import { createTakeover } from './takeover.ts';

/** The share of the ttl after which the holder renews. */
const RENEWAL = 1 / 3;
/** The longest pause between two reads of the stream. Milliseconds. */
const LONGEST_LOOK_PAUSE = 1_000;
/** The longest wait for one call to the store. Milliseconds. */
const LONGEST_PATIENCE = 5_000;
/** How long a stop waits for the release. Milliseconds. */
const RELEASE_PATIENCE = 2_000;

export interface LeaseOptions<Work extends HeldWork>
  extends KeeperOptions<Work>,
    Pick<LeaseLogOptions, 'store' | 'codec' | 'reader'> {
  /** Milliseconds. After a crash nobody holds the role for up to 1.25 times this, plus one pause between reads. */
  readonly ttl: number;
  /** Whether the log has begun, or the lease may be its first event. Without this, it may. */
  readonly mayBegin?: () => Promise<boolean>;
  /** Called on every change of the holder (`isUsual` if nothing is wrong), on the first failure and on recovery. */
  readonly report: (message: string, details: object) => void;
}

interface Taken {
  readonly term: RunningTerm;
  readonly tenure: Tenure;
  readonly revision: number;
}

/** Contends for the role until it is stopped. */
export function holdLease<Work extends HeldWork>(options: LeaseOptions<Work>): LeaseKeeper<Work> {
  const { name, holder, ttl, clock, start, report, mayBegin = async () => true } = options;
  const stopping = new AbortController();
  const patience = Math.min(ttl / 3, LONGEST_PATIENCE);
  const lookPause = Math.min(ttl / 4, LONGEST_LOOK_PAUSE);
  const now = () => new Date(clock.wall()).toISOString();
  const status = createLeaseStatus({ name, now, report });
  const { become, trouble, show } = status;
  const log = createLeaseLog({
    ...options,
    patience,
    failed: (error) => trouble('lease', error),
    succeeded: () => trouble('lease', undefined),
  });
  let work: Work | undefined;
  /** Resolves with a term, or undefined when stopped. */
  async function contend(): Promise<Taken | undefined> {
    const takeover = createTakeover(holder.id, clock);
    while (!stopping.signal.aborted) {
      try {
        const tail = await log.tail();
        show(tail?.state);
        const held = status.current().holder;
        if (held !== undefined && held.id !== holder.id) status.leaveWorkToOthers();
        const isDue = takeover.isDue(tail) && (tail !== undefined || (await mayBegin()));
        const taken = isDue ? await take(tail) : undefined;
        if (taken !== undefined) return taken;
      } catch (error) {
        trouble('lease', error);
      }
      await clock.pause(lookPause, stopping.signal);
    }
    return undefined;
  }

  /** Undefined when another process was first, or the outcome is unknown. */
  async function take(tail: LeaseTail | undefined): Promise<Taken | undefined> {
    const number = (tail?.state?.term ?? 0) + 1;
    const tenure: Tenure = { name, holder: holder.id, label: holder.label, term: number, ttl };
    const term = createTerm({ name, number, ttl, sent: momentOf(clock), clock });
    const event = LeaseTaken(tenure);
    const result = await log.append(tail?.revision ?? 'none', event, term.remaining, stopping.signal);
    if (result?.outcome !== 'appended' || !term.isHeld()) return undefined;
    show({ ...tenure, isReleased: false });
    report('lease taken', { name, term: number, isUsual: true });
    return { term, tenure, revision: result.revision };
  }

  /** Releases the lease if this process still holds it. Skipped while the store fails: the lease then expires by itself. */
  async function release(tenure: Tenure): Promise<void> {
    if (status.leaseFails()) return;
    const begun = momentOf(clock);
    const remaining = () => RELEASE_PATIENCE - longestSince(begun, clock);
    try {
      const tail = await log.tail();
      if (tail?.state?.holder !== holder.id || tail.state.isReleased) return;
      const event: LeaseEvent = LeaseReleased(tenure);
      const result = await log.append(tail.revision, event, remaining, new AbortController().signal);
      if (result?.outcome !== 'appended') return;
      show(undefined);
      report('lease released', { name, term: tenure.term, isUsual: true });
    } catch (error) {
      trouble('lease', error);
    }
  }

  async function begin(term: RunningTerm): Promise<Work | undefined> {
    try {
      const begun = await start(term);
      trouble('work', undefined);
      return begun;
    } catch (error) {
      trouble('work', error);
      return undefined;
    }
  }

  async function end(running: Work): Promise<void> {
    try {
      await running.stop();
    } catch (error) {
      // The fences hold, whatever the work still does.
      trouble('work', error);
    }
  }

  async function serve(taken: Taken): Promise<void> {
    const { term, tenure } = taken;
    const giveUp = () => term.giveUp();
    stopping.signal.addEventListener('abort', giveUp);
    if (stopping.signal.aborted) giveUp();
    become('starting');
    const renewing = renew(taken, log, clock).catch((error) => {
      trouble('lease', error);
      term.end();
    });
    // In the background: the lease works on a long stream too.
    const shortening = log.shorten().catch((error) => trouble('lease', error));

    work = term.signal.aborted ? undefined : await begin(term);
    let leavesToOthers = work === undefined;
    if (work !== undefined) {
      become('held');
      const ended = work.ended?.then(() => true) ?? new Promise<never>(() => undefined);
      leavesToOthers = await Promise.race([aborted(term.signal).then(() => false), ended]);
      if (leavesToOthers) report('work ended, role given up', { name, term: tenure.term });
      else if (!term.isHeld()) report('lease lost', { name, term: tenure.term });
      become('stopping');
      const ending = work;
      work = undefined;
      await end(ending);
    }
    term.end();
    stopping.signal.removeEventListener('abort', giveUp);
    await Promise.all([renewing, shortening]);
    if (stopping.signal.aborted || leavesToOthers) await release(tenure);
    become('waiting');
    // Gives another process the chance to do the work.
    if (leavesToOthers) await clock.pause(ttl, stopping.signal);
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const taken = await contend();
      if (taken !== undefined) await serve(taken);
    }
    become('stopped');
  }

  const running = run();
  return {
    work: () => work,
    status: status.current,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Renews until the term is over. */
async function renew(
  { term, tenure, revision }: Taken,
  log: Pick<LeaseLog, 'append'>,
  clock: LeaseClock,
): Promise<void> {
  let last = revision;
  for (;;) {
    await clock.pause(Math.max(0, term.remaining() - (1 - RENEWAL) * tenure.ttl), term.over);
    if (!term.isHeld()) return;
    // Taken before the first try: that try may be the one that was recorded and seen, even if a later one was answered.
    const sent = momentOf(clock);
    const result = await log.append(last, LeaseRenewed(tenure), term.remaining, term.over);
    if (result?.outcome !== 'appended') return term.end();
    term.renew(sent);
    last = result.revision;
  }
}
