/** Takes a lease once it is due, renews it, and gives it back. */
import type { Logger } from '../ports/logger.ts';
import { type LeaseEvent, LeaseReleased, LeaseRenewed, LeaseTaken, type Tenure } from './lease.ts';
import { type LeaseClock, longestSince, momentOf } from './lease-clock.ts';
import type { LeaseHolder } from './lease-keeper.ts';
import type { Heard, LeaseLog, LeaseTail } from './lease-log.ts';
import type { createLeaseStatus } from './lease-status.ts';
import { createTerm, type RunningTerm } from './lease-term.ts';
import { createTakeover, type Takeover } from './takeover.ts';

/** The share of the ttl after which the holder renews. */
const RENEWAL = 1 / 3;
/** The longest pause between two reads of the stream. Milliseconds. */
const LONGEST_LOOK_PAUSE = 1_000;
/** How long a stop waits for the release. Milliseconds. */
const RELEASE_PATIENCE = 2_000;

export interface Taken {
  readonly term: RunningTerm;
  readonly tenure: Tenure;
  readonly revision: number;
}

export interface LeaseTaking {
  /** Resolves with a term, or undefined when stopped. */
  contend(): Promise<Taken | undefined>;
  /** Renews until the term is over. */
  renew(taken: Taken): Promise<void>;
  /** Releases the lease if this process still holds it. Skipped while the store fails: the lease then expires by itself. */
  release(tenure: Tenure): Promise<void>;
}

export interface LeaseTakingOptions {
  readonly name: string;
  readonly holder: LeaseHolder;
  readonly ttl: number;
  readonly clock: LeaseClock;
  readonly log: Pick<LeaseLog, 'tail' | 'heard' | 'append'>;
  readonly status: ReturnType<typeof createLeaseStatus>;
  readonly mayBegin: () => Promise<boolean>;
  readonly logger: Logger;
  readonly stopping: AbortSignal;
}

export function createLeaseTaking(options: LeaseTakingOptions): LeaseTaking {
  const { name, holder, ttl, clock, log, status, mayBegin, logger, stopping } = options;
  const lookPause = Math.min(ttl / 4, LONGEST_LOOK_PAUSE);

  async function contend(): Promise<Taken | undefined> {
    const takeover = createTakeover(holder.id, clock);
    let failed = false;
    while (!stopping.aborted) {
      try {
        // Only a call to the store shows that a failure is over.
        const heard = failed ? 'unknown' : log.heard();
        failed = false;
        const { tail, isDue } = await look(takeover, heard);
        status.show(tail?.state);
        const held = status.current().holder;
        if (held !== undefined && held.id !== holder.id) status.leaveWorkToOthers();
        const taken = isDue ? await take(tail) : undefined;
        if (taken !== undefined) return taken;
        failed = isDue;
      } catch (error) {
        status.trouble('lease', error);
        failed = true;
      }
      await clock.pause(lookPause, stopping);
    }
    return undefined;
  }

  /** Reads the stream before the lease is taken, and where nothing was heard: what was heard may be late. */
  async function look(takeover: Takeover, heard: Heard) {
    if (heard !== 'unknown' && !takeover.isDue(heard)) return { tail: heard, isDue: false };
    const tail = await log.tail();
    return { tail, isDue: takeover.isDue(tail) && (tail !== undefined || (await mayBegin())) };
  }

  /** Undefined when another process was first, or the outcome is unknown. */
  async function take(tail: LeaseTail | undefined): Promise<Taken | undefined> {
    const number = (tail?.state?.term ?? 0) + 1;
    const tenure: Tenure = { name, holder: holder.id, label: holder.label, term: number, ttl };
    const term = createTerm({ name, number, ttl, sent: momentOf(clock), clock });
    const event = LeaseTaken(tenure);
    const result = await log.append(tail?.revision ?? 'none', event, term.remaining, stopping);
    if (result?.outcome !== 'appended' || !term.isHeld()) return undefined;
    status.show({ ...tenure, isReleased: false });
    logger.info({ name, term: number }, 'lease taken');
    return { term, tenure, revision: result.revision };
  }

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
      status.show(undefined);
      logger.info({ name, term: tenure.term }, 'lease released');
    } catch (error) {
      status.trouble('lease', error);
    }
  }

  return { contend, renew: (taken) => renew(options, taken), release };
}

type Parts = Pick<LeaseTakingOptions, 'clock' | 'log'>;

async function renew({ clock, log }: Parts, { term, tenure, revision }: Taken): Promise<void> {
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
