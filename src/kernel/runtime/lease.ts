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
 * does not notice. So every act has its own fence too: an append carries the revision that was read, so it conflicts after any other
 * append; a transaction carries its nonce value (or a blockhash that expires) and was recorded before it was sent, so it lands at most
 * once, even if two processes send it; an image is named by its content, and is removed only if no other process has retained it meanwhile.
 */
import { Type } from '@sinclair/typebox';
import type { BlobStore } from '../ports/blob-store.ts';
import type { Chain } from '../ports/chain.ts';
import type { AppendResult, EventStore, ExpectedRevision } from '../ports/event-store.ts';
import {
  type HeldWork,
  type KeeperOptions,
  type LeaseClock,
  type LeaseKeeper,
  LeaseLost,
  type LeaseStatus,
  type LeaseTerm,
} from '../ports/lease.ts';
import type { Logger } from '../ports/logger.ts';
import { withMethods } from './around-calls.ts';
import { constructorsOf, defineStream, type EventOf } from './define-stream.ts';
import type { EventCodec } from './event-codec.ts';
import type { EventReader } from './event-reader.ts';
import { causeOf, type Executor } from './execute.ts';
import { randomId, Uuid } from './ids.ts';
import { messageOf } from './message-of.ts';
import { sleep } from './sleep.ts';

/** How many of the holder's ttls must pass without a new event. */
const TAKEOVER = 1.25;
/** The longest wait for one call to the store. Milliseconds, like all that follow. */
const LONGEST_PATIENCE = 5_000;
/** The longest pause between two reads of the stream. */
const LONGEST_READ_PAUSE = 1_000;
/** How long a stop waits for the release. */
const RELEASE_PATIENCE = 2_000;
/** Pauses before a failed append is repeated. */
const [SHORTEST_BACKOFF, LONGEST_BACKOFF] = [50, 1_000];
/** The share of the ttl after which the holder renews. */
const RENEWAL = 1 / 3;
/** The last event is enough; the others are for people who inspect the stream. */
const EVENTS_RETAINED = 20;

const Tenure = Type.Object({
  /** The name of the role. */
  name: Type.String({ minLength: 1, maxLength: 64, pattern: '^[a-z][a-z0-9-]*$' }),
  /** Identifies one start of a process; a restarted process is another holder. */
  holder: Uuid,
  /** The holder's readable name: its host and process. */
  label: Type.String({ maxLength: 256 }),
  /** Grows by one whenever the lease is taken. */
  term: Type.Integer({ minimum: 1 }),
  /** How long the holder relies on its recorded lease, in milliseconds. */
  ttl: Type.Integer({ minimum: 1 }),
});

export const leaseEvents = {
  LeaseTaken: Tenure,
  LeaseRenewed: Tenure,
  /** The holder has stopped working: the next one need not wait. */
  LeaseReleased: Tenure,
};

export type LeaseEvent = EventOf<typeof leaseEvents>;

export const { LeaseTaken, LeaseRenewed, LeaseReleased } = constructorsOf(leaseEvents);

export type Tenure = LeaseEvent['data'];

export type LeaseState = (Tenure & { readonly isReleased: boolean }) | undefined;

/** One stream per role. Each event is complete, since older ones may be deleted. */
export const lease = defineStream({
  category: 'lease',
  events: leaseEvents,
  internal: {
    LeaseTaken: "Which process does the work is the operator's concern, and is reported by readiness.",
    LeaseRenewed: 'Nothing happened: the same process continues to do the work.',
    LeaseReleased: "Which process does the work is the operator's concern, and is reported by readiness.",
  },
  initial: undefined as LeaseState,
  evolve: (_state, event): LeaseState => ({ ...event.data, isReleased: event.type === 'LeaseReleased' }),
});

export const systemLeaseClock: LeaseClock = {
  monotonic: () => performance.now(),
  wall: () => Date.now(),
  pause: sleep,
};

/** A time in this process, on both clocks. */
interface Moment {
  readonly monotonic: number;
  readonly wall: number;
}

function momentOf(clock: LeaseClock): Moment {
  return { monotonic: clock.monotonic(), wall: clock.wall() };
}

/**
 * Milliseconds since then, on the clock that shows more: right for a holder, which must stop in time. A contender, which must not
 * start too early, uses the monotonic clock alone, since the other may be set forward.
 */
function longestSince(moment: Moment, clock: LeaseClock): number {
  return Math.max(clock.monotonic() - moment.monotonic, clock.wall() - moment.wall);
}

interface RunningTerm extends LeaseTerm {
  /** Milliseconds until the term is over, unless renewed; 0 when over. */
  remaining(): number;
  /** Extends the term after a renewal was recorded; `sent` is a time before its first try. */
  renew(sent: Moment): void;
  /** Aborts the work's signal. */
  giveUp(): void;
  /** Ends the term. */
  end(): void;
  /** Aborted when the term is over. */
  readonly over: AbortSignal;
}

interface TermOptions {
  readonly name: string;
  readonly number: number;
  /** Milliseconds. */
  readonly ttl: number;
  /** A time before the first try to record it. */
  readonly sent: Moment;
  readonly clock: LeaseClock;
}

export function createTerm({ name, number, ttl, sent, clock }: TermOptions): RunningTerm {
  const leaving = new AbortController();
  const over = new AbortController();
  let since = sent;

  function end(): void {
    over.abort(new LeaseLost(name));
    leaving.abort(new LeaseLost(name));
  }
  function remaining(): number {
    const left = ttl - longestSince(since, clock);
    if (left <= 0) end();
    return over.signal.aborted ? 0 : left;
  }

  return {
    name,
    number,
    isHeld: () => remaining() > 0,
    signal: leaving.signal,
    remaining,
    renew(moment) {
      since = moment;
    },
    giveUp: () => leaving.abort(),
    end,
    over: over.signal,
  };
}

/** The last event of a lease's stream. */
export interface LeaseTail {
  /** Undefined if all events that are left are quarantined. */
  readonly state: LeaseState;
  readonly revision: number;
  readonly eventId: string;
}

/**
 * Decides when a contender may take the lease: immediately if no process relies on it, otherwise when its holder has stopped relying on
 * it. To be called after each read of the stream. The contender does no work meanwhile, so a lease of its own is free too.
 */
export function createTakeover(contender: string, clock: Pick<LeaseClock, 'monotonic'>) {
  let seen: { readonly eventId: string; readonly since: number } | undefined;
  return (tail: LeaseTail | undefined): boolean => {
    if (tail?.state === undefined || tail.state.isReleased || tail.state.holder === contender) return true;
    if (seen?.eventId !== tail.eventId) seen = { eventId: tail.eventId, since: clock.monotonic() };
    return clock.monotonic() - seen.since > TAKEOVER * tail.state.ttl;
  };
}

export interface LeaseOptions<Work extends HeldWork> extends KeeperOptions<Work> {
  readonly store: Pick<EventStore, 'append' | 'read' | 'keepLast'>;
  readonly codec: Pick<EventCodec, 'encode'>;
  readonly reader: Pick<EventReader, 'read'>;
  /** Milliseconds. After a crash nobody holds the role for up to 1.25 times this, plus one pause between reads. */
  readonly ttl: number;
  /** Resolves to false while the log is empty and the lease must not be its first event. When absent, it may be. */
  readonly mayBegin?: () => Promise<boolean>;
  /** Gets a line on every change of the holder, on the first failure and on recovery. */
  readonly logger: Logger;
}

interface Taken {
  readonly term: RunningTerm;
  readonly tenure: Tenure;
  readonly revision: number;
}

/** Contends for the role until it is stopped. */
export function holdLease<Work extends HeldWork>(options: LeaseOptions<Work>): LeaseKeeper<Work> {
  const { name, holder, clock, ttl, store, codec, logger, start, mayBegin = async () => true } = options;
  const stream = `${lease.category}-${name}`;
  const patience = Math.min(ttl / 3, LONGEST_PATIENCE);
  const stopping = new AbortController();
  const now = () => new Date(clock.wall()).toISOString();
  const troubles = new Map<'lease' | 'work', string>();
  let status: LeaseStatus = {
    name,
    state: 'waiting',
    since: now(),
    holder: undefined,
    term: undefined,
    error: undefined,
  };
  let work: Work | undefined;
  /** The revision of the last event with a state. */
  let lastSeen = 0;

  function become(state: LeaseStatus['state']): void {
    status = { ...status, state, since: now() };
  }

  function show(state: LeaseState): void {
    const held = state?.isReleased === false ? state : undefined;
    status = { ...status, holder: held && { id: held.holder, label: held.label }, term: held?.term };
  }

  /** Undefined: the part works again. A failure is reported once, and so is its end. */
  function trouble(part: 'lease' | 'work', error: unknown): void {
    const before = troubles.get(part);
    if (error !== undefined && before === undefined)
      logger.warn({ name, error: messageOf(error) }, `${part} failed, retrying`);
    if (error === undefined && before !== undefined) logger.warn({ name }, `${part} recovered`);
    setTrouble(part, error === undefined ? undefined : messageOf(error));
  }

  function setTrouble(part: 'lease' | 'work', message: string | undefined): void {
    if (message === undefined) troubles.delete(part);
    else troubles.set(part, message);
    status = { ...status, error: troubles.get('work') ?? troubles.get('lease') };
  }

  /** Rejects when the answer takes longer; a later answer is dropped. Waits by the lease's clock, which p-timeout cannot do. */
  async function inTime<Answer>(call: Promise<Answer>, milliseconds = patience): Promise<Answer> {
    const answered = new AbortController();
    const overdue = clock.pause(milliseconds, answered.signal).then((): never => {
      throw new Error('the event store does not answer');
    });
    try {
      const answer = await Promise.race([call, overdue]);
      trouble('lease', undefined);
      return answer;
    } finally {
      answered.abort();
    }
  }

  async function readFrom(revision: number): Promise<LeaseTail | undefined> {
    let tail: LeaseTail | undefined;
    for await (const stored of store.read(stream, revision)) {
      // The codec has checked the event against this very stream's schemas.
      const event = (await options.reader.read(stored)) as unknown as LeaseEvent | undefined;
      const state: LeaseState = event === undefined ? tail?.state : lease.evolve(lease.initial, event);
      if (event !== undefined) lastSeen = stored.revision;
      tail = { state, revision: stored.revision, eventId: stored.id };
    }
    return tail;
  }

  /** The last event; undefined without one. Rejects when the store fails or takes too long. */
  async function readTail(): Promise<LeaseTail | undefined> {
    const read = async () => (await readFrom(lastSeen)) ?? (lastSeen > 0 ? readFrom(0) : undefined);
    const tail = await inTime(read());
    if (tail === undefined) lastSeen = 0;
    return tail;
  }

  /**
   * Repeats the identical append until its outcome is known. Undefined if `remaining` reaches 0 or `ended` is aborted
   * before that: the event may be recorded, now or later.
   */
  async function append(
    expected: ExpectedRevision,
    event: LeaseEvent,
    remaining: () => number,
    ended: AbortSignal,
  ): Promise<AppendResult | undefined> {
    const metadata = { ...causeOf('lease'), occurredAt: now() };
    const encoded = codec.encode(lease.category, randomId(), event, metadata);
    for (let backoff = SHORTEST_BACKOFF; ; backoff = Math.min(2 * backoff, LONGEST_BACKOFF)) {
      const left = remaining();
      if (left <= 0) return undefined;
      try {
        return await inTime(store.append(stream, expected, [encoded]), Math.min(left, patience));
      } catch (error) {
        if (error instanceof TypeError) throw error;
        trouble('lease', error);
      }
      if (ended.aborted) return undefined;
      await clock.pause(Math.min(backoff, remaining()), ended);
    }
  }

  /** Undefined when stopped. */
  async function contend(): Promise<Taken | undefined> {
    const isDue = createTakeover(holder.id, clock);
    while (!stopping.signal.aborted) {
      try {
        const tail = await readTail();
        show(tail?.state);
        // Another process does the work now, so this process's error no longer matters.
        if (status.holder !== undefined && status.holder.id !== holder.id) setTrouble('work', undefined);
        const taken =
          isDue(tail) && (tail !== undefined || (await mayBegin())) ? await take(tail) : undefined;
        if (taken !== undefined) return taken;
      } catch (error) {
        trouble('lease', error);
      }
      await clock.pause(Math.min(ttl / 4, LONGEST_READ_PAUSE), stopping.signal);
    }
    return undefined;
  }

  /** Undefined when another process was first, or the outcome is unknown. */
  async function take(tail: LeaseTail | undefined): Promise<Taken | undefined> {
    const number = (tail?.state?.term ?? 0) + 1;
    const tenure: Tenure = { name, holder: holder.id, label: holder.label, term: number, ttl };
    const term = createTerm({ name, number, ttl, sent: momentOf(clock), clock });
    const expected = tail?.revision ?? 'none';
    const result = await append(expected, LeaseTaken(tenure), term.remaining, stopping.signal);
    if (result?.outcome !== 'appended' || !term.isHeld()) return undefined;
    show({ ...tenure, isReleased: false });
    logger.info({ name, term: number }, 'lease taken');
    return { term, tenure, revision: result.revision };
  }

  /** Until the term is over. */
  async function renew({ term, tenure, revision }: Taken): Promise<void> {
    for (let last = revision; ; ) {
      await clock.pause(Math.max(0, term.remaining() - (1 - RENEWAL) * ttl), term.over);
      if (!term.isHeld()) return;
      // Taken before the first try: that try may be the one that was recorded and seen, even if a later one was answered.
      const sent = momentOf(clock);
      const result = await append(last, LeaseRenewed(tenure), term.remaining, term.over);
      if (result?.outcome !== 'appended') return term.end();
      term.renew(sent);
      last = result.revision;
    }
  }

  /** Skipped while the store fails: the lease then expires by itself. */
  async function release(tenure: Tenure): Promise<void> {
    if (troubles.has('lease')) return;
    const begun = momentOf(clock);
    const remaining = () => RELEASE_PATIENCE - longestSince(begun, clock);
    try {
      const tail = await readTail();
      if (tail?.state?.holder !== holder.id || tail.state.isReleased) return;
      const never = new AbortController().signal;
      const result = await append(tail.revision, LeaseReleased(tenure), remaining, never);
      if (result?.outcome !== 'appended') return;
      show(undefined);
      logger.info({ name, term: tenure.term }, 'lease released');
    } catch (error) {
      trouble('lease', error);
    }
  }

  /** True if the work could not begin, or has ended before its term, so that others should try. */
  async function workDuring(term: RunningTerm): Promise<boolean> {
    if (term.signal.aborted) return true;
    try {
      work = await start(term);
      trouble('work', undefined);
    } catch (error) {
      trouble('work', error);
      return true;
    }
    const begun = work;
    become('held');
    const isLeft = await Promise.race([
      aborted(term.signal).then(() => false),
      begun.ended?.then(() => true) ?? new Promise<never>(() => undefined),
    ]);
    if (isLeft) logger.warn({ name, term: term.number }, 'work ended, releasing the role');
    else if (!term.isHeld()) logger.warn({ name, term: term.number }, 'lease lost');
    become('stopping');
    work = undefined;
    // The fences hold, whatever the work still does.
    await begun.stop().catch((error: unknown) => trouble('work', error));
    return isLeft;
  }

  async function serve(taken: Taken): Promise<void> {
    const { term, tenure } = taken;
    stopping.signal.addEventListener('abort', term.giveUp);
    if (stopping.signal.aborted) term.giveUp();
    become('starting');
    const renewing = renew(taken).catch((error: unknown) => {
      trouble('lease', error);
      term.end();
    });
    // In the background: the lease works on a long stream too.
    const shortening = inTime(store.keepLast(stream, EVENTS_RETAINED)).catch((error: unknown) =>
      trouble('lease', error),
    );
    const isLeft = await workDuring(term);
    term.end();
    stopping.signal.removeEventListener('abort', term.giveUp);
    await Promise.all([renewing, shortening]);
    if (stopping.signal.aborted || isLeft) await release(tenure);
    become('waiting');
    // Gives another process the chance to do the work.
    if (isLeft) await clock.pause(ttl, stopping.signal);
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

/** Holds a role without a lease, because the store belongs to this process alone. Rejects if the work does not start. */
export async function alwaysHeld<Work extends HeldWork>({
  name,
  holder,
  clock,
  start,
}: KeeperOptions<Work>): Promise<LeaseKeeper<Work>> {
  const now = () => new Date(clock.wall()).toISOString();
  const leaving = new AbortController();
  let isOver = false;
  let work: Work | undefined = await start({
    name,
    number: 1,
    isHeld: () => !isOver,
    signal: leaving.signal,
  });
  let status: LeaseStatus = { name, state: 'held', since: now(), holder, term: 1, error: undefined };
  let stopped: Promise<void> | undefined;

  async function end(): Promise<void> {
    status = { ...status, state: 'stopping', since: now() };
    leaving.abort(new LeaseLost(name));
    try {
      await work?.stop();
    } finally {
      work = undefined;
      isOver = true;
      status = { ...status, state: 'stopped', since: now(), holder: undefined, term: undefined };
    }
  }

  return {
    work: () => work,
    status: () => status,
    stop() {
      stopped ??= end();
      return stopped;
    },
  };
}

/** Work of a role that no other process could take: it is started again until it runs, and again when it has ended. */
export interface RestartedWork<Work extends HeldWork> extends HeldWork {
  /** Undefined while it does not run. */
  current(): Work | undefined;
  /** Why it cannot start. */
  error(): string | undefined;
  /** Resolves when it has started, or has failed to for the first time. */
  readonly tried: Promise<void>;
}

/** Milliseconds. */
const RESTART_PAUSES = [100, 500, 2_000];
const LONGEST_RESTART_PAUSE = 5_000;

export function keepRunning<Work extends HeldWork>(options: {
  readonly start: () => Promise<Work>;
  /** Called for the first of several failures in a row. */
  readonly failed: (error: string) => void;
}): RestartedWork<Work> {
  const stopping = new AbortController();
  const stopped = aborted(stopping.signal);
  let work: Work | undefined;
  let error: string | undefined;
  let triedOnce = () => {};
  const tried = new Promise<void>((resolve) => {
    triedOnce = resolve;
  });

  async function run(): Promise<void> {
    for (let failures = 0; !stopping.signal.aborted; ) {
      try {
        work = await options.start();
        failures = 0;
        error = undefined;
        triedOnce();
        await Promise.race([work.ended ?? stopped, stopped]);
        await work.stop();
      } catch (problem) {
        error = messageOf(problem);
        if (failures === 0) options.failed(error);
        failures += 1;
        triedOnce();
      }
      work = undefined;
      await sleep(RESTART_PAUSES[failures - 1] ?? LONGEST_RESTART_PAUSE, stopping.signal);
    }
  }

  const running = run();
  return {
    current: () => work,
    error: () => error,
    tried,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

/** A term, asked right before each act: it reads the clocks. */
type Fence = Pick<LeaseTerm, 'name' | 'isHeld'>;

/** Records nothing after the term has ended: it checks before the decision and again before each append. */
export function fencedExecutor(executor: Executor, term: Fence): Executor {
  return {
    ...executor,
    async execute(stream, streamId, cause, decide, options = {}) {
      const beforeAppend: typeof options.beforeAppend = async (loaded) => {
        await options.beforeAppend?.(loaded);
        requireHeld(term);
      };
      requireHeld(term);
      return executor.execute(stream, streamId, cause, decide, { ...options, beforeAppend });
    },
  };
}

/** Sending and airdrops reject with `LeaseLost` and do nothing when the term is not held. */
export function fencedChain(chain: Chain, term: Fence): Chain {
  return withMethods(chain, {
    async send(wire) {
      requireHeld(term);
      return chain.send(wire);
    },
    async airdrop(address, lamports) {
      requireHeld(term);
      return chain.airdrop(address, lamports);
    },
  });
}

type UnusedFiles = Pick<BlobStore, 'leftAlone' | 'keep' | 'remove'>;

/** Keeping and removing files rejects with `LeaseLost` and does nothing when the term is not held. */
export function fencedFiles(files: UnusedFiles, term: Fence): UnusedFiles {
  return withMethods(files, {
    async keep(name) {
      requireHeld(term);
      return files.keep(name);
    },
    async remove(name, leftAloneSince) {
      requireHeld(term);
      return files.remove(name, leftAloneSince);
    },
  });
}

function requireHeld(term: Fence): void {
  if (!term.isHeld()) throw new LeaseLost(term.name);
}
