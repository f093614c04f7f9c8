/**
 * Lets one process at a time hold a role, by a stream of the event store.
 *
 * Every event of the stream is appended at the revision that its writer saw last, so the store itself decides between
 * rivals. The holder renews, and counts on what was recorded for one ttl, from before it first sent it. A contender takes
 * over when it has been told of the same last event for 1.25 ttls, from after the first answer on. What it was told of had
 * been sent before, so the holder has stopped counting on it by then. Nobody compares clocks: only the rates at which they
 * go matter, and the quarter covers one that is a tenth too fast and another that is a tenth too slow (1.1 / 0.9 < 1.25).
 *
 * What no lease can prevent: an act that was sent while the term was held may arrive later, and a machine that was frozen
 * with all its clocks knows of nothing. So what is done under a lease must also carry its own fence: see `fenced.ts`.
 */
import { type LeaseEvent, LeaseReleased, LeaseRenewed, LeaseTaken, type Tenure } from '../streams/lease.ts';
import { longestSince, momentOf } from './lease-clock.ts';
import type { HeldWork, KeeperOptions, LeaseKeeper, LeaseState, LeaseStatus } from './lease-keeper.ts';
import { createLeaseLog, type LeaseLogOptions, type LeaseTail } from './lease-log.ts';
import { createTerm, type RunningTerm } from './lease-term.ts';
import { createTakeover } from './takeover.ts';

/** Part of the ttl after which the holder renews. */
const RENEWAL = 1 / 3;
/** Milliseconds, at most, between two looks at the stream. */
const LONGEST_LOOK_PAUSE = 1_000;
/** Milliseconds, at most, for which the store is waited for in one call. */
const LONGEST_PATIENCE = 5_000;
/** Milliseconds for which it is waited for to release the lease: a stop must come to its end. */
const RELEASE_PATIENCE = 2_000;

export interface LeaseOptions<Work extends HeldWork>
  extends KeeperOptions<Work>,
    Pick<LeaseLogOptions, 'store' | 'codec'> {
  /** Milliseconds. After a crash the role is nobody's for up to 1.25 times as long, and a look. */
  readonly ttl: number;
  /** Whether the lease may be the first thing in the log, or something is there already. It may whenever this is absent. */
  readonly mayBegin?: () => Promise<boolean>;
  /** Told of every change of hands (`isUsual` where nothing is wrong), and when the store begins to fail and works again. */
  readonly report: (message: string, details: object) => void;
}

interface Taken {
  readonly term: RunningTerm;
  readonly tenure: Tenure;
  readonly revision: number;
}

/** Contends for the role from now on, until it is stopped. */
export function holdLease<Work extends HeldWork>(options: LeaseOptions<Work>): LeaseKeeper<Work> {
  const { name, holder, ttl, clock, start, report, mayBegin = async () => true } = options;
  const stopping = new AbortController();
  const patience = Math.min(ttl / 3, LONGEST_PATIENCE);
  const lookPause = Math.min(ttl / 4, LONGEST_LOOK_PAUSE);
  const log = createLeaseLog({
    ...options,
    patience,
    failed: (error) => trouble('lease', error),
    succeeded: () => trouble('lease', undefined),
  });
  const now = () => new Date(clock.wall()).toISOString();

  let work: Work | undefined;
  const troubles: { lease: string | undefined; work: string | undefined } = {
    lease: undefined,
    work: undefined,
  };
  let status: LeaseStatus = {
    name,
    state: 'waiting',
    since: now(),
    holder: undefined,
    term: undefined,
    error: undefined,
  };

  function become(state: LeaseState): void {
    status = { ...status, state, since: now() };
  }
  function trouble(what: keyof typeof troubles, error: unknown): void {
    const before = troubles[what];
    if (error === undefined) {
      if (before !== undefined) report(`the ${what} works again`, { name });
      troubles[what] = undefined;
    } else {
      const message = error instanceof Error ? error.message : String(error);
      if (before === undefined) report(`the ${what} fails and is tried again`, { name, error: message });
      troubles[what] = message;
    }
    status = { ...status, error: troubles.work ?? troubles.lease };
  }
  /** What kept this process from doing the work is not in the way of whoever does it now. */
  function leaveWorkToOthers(): void {
    troubles.work = undefined;
    status = { ...status, error: troubles.lease };
  }
  function show(tail: Pick<LeaseTail, 'state'> | undefined): void {
    const held = tail?.state.isReleased === false ? tail.state : undefined;
    status = {
      ...status,
      holder: held && { id: held.holder, label: held.label },
      term: held?.term,
    };
  }

  /** Resolves with a term of its own, or undefined when it is stopped. */
  async function contend(): Promise<Taken | undefined> {
    const takeover = createTakeover(holder.id, clock);
    while (!stopping.signal.aborted) {
      try {
        const tail = await log.tail();
        show(tail);
        if (status.holder !== undefined && status.holder.id !== holder.id) leaveWorkToOthers();
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

  /** Undefined when somebody else was first, or the store does not say. */
  async function take(tail: LeaseTail | undefined): Promise<Taken | undefined> {
    const number = (tail?.state.term ?? 0) + 1;
    const tenure: Tenure = { name, holder: holder.id, label: holder.label, term: number, ttl };
    const term = createTerm({ name, number, ttl, sent: momentOf(clock), clock });
    const event = LeaseTaken(tenure);
    const result = await log.append(tail?.revision ?? 'none', event, term.remaining, stopping.signal);
    if (result?.outcome !== 'appended' || !term.isHeld()) return undefined;
    show({ state: { ...tenure, isReleased: false } });
    report('took the lease', { name, term: number, isUsual: true });
    return { term, tenure, revision: result.revision };
  }

  /** Until the term is over. */
  async function renew({ term, tenure, revision }: Taken): Promise<void> {
    let last = revision;
    for (;;) {
      await clock.pause(Math.max(0, term.remaining() - (1 - RENEWAL) * ttl), term.over);
      if (!term.isHeld()) return;
      // Before the first of all tries: the first may be what was recorded, and seen, though a later one was answered.
      const sent = momentOf(clock);
      const result = await log.append(last, LeaseRenewed(tenure), term.remaining, term.over);
      if (result?.outcome !== 'appended') return term.end();
      term.renew(sent);
      last = result.revision;
    }
  }

  /** If it is still its own. What is not recorded in time lapses by itself, and a store in trouble is not waited for. */
  async function release(tenure: Tenure): Promise<void> {
    if (troubles.lease !== undefined) return;
    const begun = momentOf(clock);
    const remaining = () => RELEASE_PATIENCE - longestSince(begun, clock);
    try {
      const tail = await log.tail();
      if (tail?.state.holder !== holder.id || tail.state.isReleased) return;
      const event: LeaseEvent = LeaseReleased(tenure);
      const result = await log.append(tail.revision, event, remaining, new AbortController().signal);
      if (result?.outcome !== 'appended') return;
      show(undefined);
      report('released the lease', { name, term: tenure.term, isUsual: true });
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
      // Its fences hold, whatever it still does.
      trouble('work', error);
    }
  }

  async function serve(taken: Taken): Promise<void> {
    const { term, tenure } = taken;
    const giveUp = () => term.giveUp();
    stopping.signal.addEventListener('abort', giveUp);
    if (stopping.signal.aborted) giveUp();
    become('starting');
    const renewing = renew(taken).catch((error) => {
      trouble('lease', error);
      term.end();
    });
    // Not in its way: a long stream is as good a lease.
    const shortening = log.shorten().catch((error) => trouble('lease', error));

    work = term.signal.aborted ? undefined : await begin(term);
    const couldNotStart = work === undefined;
    if (work !== undefined) {
      become('held');
      await abortion(term.signal);
      if (!term.isHeld()) report('lost the lease', { name, term: tenure.term });
      become('stopping');
      const ending = work;
      work = undefined;
      await end(ending);
    }
    term.end();
    stopping.signal.removeEventListener('abort', giveUp);
    await Promise.all([renewing, shortening]);
    if (stopping.signal.aborted || couldNotStart) await release(tenure);
    become('waiting');
    // Somebody else may have more luck.
    if (couldNotStart) await clock.pause(ttl, stopping.signal);
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
    status: () => status,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

async function abortion(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
