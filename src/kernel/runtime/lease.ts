/**
 * Lease: lets one process at a time hold a role, using a stream of the event store.
 *
 * Every event of the stream is appended at the last revision that its writer read, so the store decides between rivals. The
 * holder relies on a recorded event for one ttl, measured from before it first sent the event, and renews in time. A
 * contender takes over once it has seen the same last event for 1.25 ttls, measured from after the first read. The holder
 * sent that event earlier, so it no longer relies on it by then. Clocks of different processes are never compared; only
 * their rates matter, and the quarter covers a clock that is a tenth fast and another that is a tenth slow (1.1 / 0.9 <
 * 1.25).
 *
 * A lease cannot prevent an act sent during the term from taking effect later, and a machine does not notice that it was
 * frozen with all its clocks. So every act has a second fence: an append contains the revision read, so it conflicts after
 * any other append; a transaction contains its nonce value (or a blockhash that expires) and was recorded before it was
 * sent, so it lands at most once, even if two processes send it; an image is named by its content, and is removed only if no
 * other process has retained it since.
 */
import { Type } from '@sinclair/typebox';
import type { BlobStore } from '../ports/blob-store.ts';
import type { Chain } from '../ports/chain.ts';
import { OperatorError } from '../ports/errors.ts';
import type { AppendResult, EventStore, ExpectedRevision } from '../ports/event-store.ts';
import type { Logger } from '../ports/logger.ts';
import { constructorsOf, defineStream, type EventOf } from './define-stream.ts';
import { errorMessage } from './error-message.ts';
import type { EventCodec } from './event-codec.ts';
import type { EventReader } from './event-reader.ts';
import { causeOf, type Executor } from './execute.ts';
import { randomId, Uuid } from './ids.ts';
import { backoff } from './retry.ts';
import { sleep } from './sleep.ts';
import { wrapCalls } from './wrap-calls.ts';

/** Number of the holder's ttls without a new event after which a contender takes over. */
const TAKEOVER = 1.25;
/** Maximum wait for one call to the store. Milliseconds, like the next four constants. */
const MAX_TIMEOUT = 5_000;
/** Maximum pause between two reads of the stream. */
const MAX_READ_PAUSE = 1_000;
/** Maximum wait of `stop` for the release. */
const RELEASE_TIMEOUT = 2_000;
/** Pauses before a failed append is repeated. */
const [SHORTEST_BACKOFF, LONGEST_BACKOFF] = [50, 1_000];
/** Fraction of the ttl after which the holder renews. */
const RENEWAL = 1 / 3;
/** The last event suffices; earlier ones are for operators who inspect the stream. */
const EVENTS_RETAINED = 20;

const Tenure = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 64, pattern: '^[a-z][a-z0-9-]*$' }),
  /** UUID of a process start; a restarted process counts as a different holder. */
  holder: Uuid,
  /** Readable name of the holder: its host and process. */
  label: Type.String({ maxLength: 256 }),
  /** Increases by one whenever the lease is taken. */
  term: Type.Integer({ minimum: 1 }),
  /** Validity in milliseconds of the recorded lease for its holder. */
  ttl: Type.Integer({ minimum: 1 }),
});

const leaseEvents = {
  LeaseTaken: Tenure,
  LeaseRenewed: Tenure,
  /** The holder has stopped working, so the next one need not wait. */
  LeaseReleased: Tenure,
};

export type LeaseEvent = EventOf<typeof leaseEvents>;

export const { LeaseTaken, LeaseRenewed, LeaseReleased } = constructorsOf(leaseEvents);

type Tenure = LeaseEvent['data'];

type LeaseState = (Tenure & { readonly isReleased: boolean }) | undefined;

/** One stream per role. Each event is complete, since older ones may be deleted. */
export const lease = defineStream({
  category: 'lease',
  events: leaseEvents,
  internal: {
    LeaseTaken: 'The holder of a role concerns only operators; readiness reports it.',
    LeaseRenewed: 'A renewal does not change the holder.',
    LeaseReleased: 'The holder of a role concerns only operators; readiness reports it.',
  },
  initial: undefined as LeaseState,
  evolve: (_state, event): LeaseState => ({ ...event.data, isReleased: event.type === 'LeaseReleased' }),
});

/** Clocks of a lease, and its pause. Clocks of different processes are never compared. */
export const systemLeaseClock = {
  /** Monotonic clock in milliseconds: cannot be set back or forward, but may stop while the machine is suspended. */
  monotonic: () => performance.now(),
  /** Milliseconds since 1970. Continues while the machine is suspended, but can be set forward or back. */
  wall: () => Date.now(),
  /** Resolves after the time or later, or when the signal is aborted. */
  pause: sleep,
};

export type LeaseClock = typeof systemLeaseClock;

interface LeaseHolder {
  /** UUID of this process start. Only one lease per role may use it. */
  readonly id: string;
  /** Readable name of the process, such as host and process id. */
  readonly label: string;
}

/** Another process holds the role, or may hold it, so the act was not carried out. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
  constructor(role: string) {
    super(`this process no longer holds the role "${role}"; the act was not carried out`);
  }
}

export interface HeldWork {
  /** Resolves when no work is in progress. */
  stop(): Promise<void>;
  /** Resolves if the work cannot continue in this term, so that another process can try. Absent if it always can. */
  readonly ended?: Promise<void>;
}

interface HolderOptions<Work extends HeldWork> {
  /** Name of the role: lower-case letters, digits and `-`. */
  readonly name: string;
  readonly holder: LeaseHolder;
  readonly clock: LeaseClock;
  /**
   * Starts the work of a term, and resolves when it runs. Called once per term, after the previous term's work has stopped.
   * All effects outside the process must go through fences of the term.
   */
  readonly start: (term: LeaseTerm) => Promise<Work>;
  /** Receives an entry on every change of the holder, on the first failure and on recovery. */
  readonly logger: Logger;
}

export interface LeaseStatus {
  readonly name: string;
  /**
   * `waiting`: for the end of another process's term, or for the store. `starting`, `stopping`: refer to the work of its own
   * term.
   */
  readonly state: 'waiting' | 'starting' | 'held' | 'stopping' | 'stopped';
  /** Start of this state, ISO 8601. */
  readonly since: string;
  /** Holder at the last read of the stream. */
  readonly holder: LeaseHolder | undefined;
  /** Number of the holder's term. */
  readonly term: number | undefined;
  /** Reason why this process cannot take, retain or use the lease; undefined without a failure, even while waiting. */
  readonly error: string | undefined;
}

export interface LeaseHandle<Work extends HeldWork> {
  /** Undefined while the role is not held. */
  work(): Work | undefined;
  status(): LeaseStatus;
  /** Stops the work, then releases the role. Resolves after both. */
  stop(): Promise<void>;
}

/** Time in this process, on both clocks. */
interface Instant {
  readonly monotonic: number;
  readonly wall: number;
}

function instantOf(clock: LeaseClock): Instant {
  return { monotonic: clock.monotonic(), wall: clock.wall() };
}

/**
 * Milliseconds since a time, on the clock that shows more: right for a holder, which must stop in time. A contender, which
 * must not start too early, uses the monotonic clock only, since the other may be set forward.
 */
function longestSince(moment: Instant, clock: LeaseClock): number {
  return Math.max(clock.monotonic() - moment.monotonic, clock.wall() - moment.wall);
}

type RunningTerm = ReturnType<typeof createTerm>;

/** Period during which a role is held without interruption. */
export type LeaseTerm = Pick<RunningTerm, 'name' | 'number' | 'isHeld' | 'signal'>;

function createTerm({
  name,
  number,
  ttl,
  sent,
  clock,
}: {
  readonly name: string;
  /** Later terms have greater numbers, also with another holder. */
  readonly number: number;
  /** Validity in milliseconds of a recorded event for the holder. */
  readonly ttl: number;
  /** Time before the first attempt to record the term. */
  readonly sent: Instant;
  readonly clock: LeaseClock;
}) {
  const leaving = new AbortController();
  const over = new AbortController();
  let since = sent;

  function end(): void {
    over.abort(new LeaseLost(name));
    leaving.abort(new LeaseLost(name));
  }
  /** Milliseconds until the term ends unless renewed; 0 after its end. */
  function remaining(): number {
    const left = ttl - longestSince(since, clock);
    if (left <= 0) end();
    return over.signal.aborted ? 0 : left;
  }

  return {
    name,
    number,
    /**
     * True while no other process can hold the role. Reads the clocks instead of a timer, so it is right even after the
     * process was stopped or the machine suspended. Never true again after the end.
     */
    isHeld: () => remaining() > 0,
    /** Aborted when the work must end: the role is lost, or will be released. */
    signal: leaving.signal,
    remaining,
    /** Extends the term after a renewal was recorded; `moment` is before its first attempt. */
    renew(moment: Instant) {
      since = moment;
    },
    /** Aborts the work's signal; the term continues. */
    giveUp: () => leaving.abort(),
    end,
    /** Aborted at the end of the term. */
    over: over.signal,
  };
}

interface LeaseTail {
  /** Undefined if all remaining events are quarantined. */
  readonly state: LeaseState;
  readonly revision: number;
  readonly eventId: string;
}

/**
 * Decides when a contender may take the lease: immediately if no process relies on it, otherwise once its holder no longer
 * does. Must be called after each read of the stream. The contender does no work in this state, so it may take its own
 * earlier lease, too.
 */
function createTakeover(contender: string, clock: Pick<LeaseClock, 'monotonic'>) {
  let seen: { readonly eventId: string; readonly since: number } | undefined;
  return (tail: LeaseTail | undefined): boolean => {
    if (tail?.state === undefined || tail.state.isReleased || tail.state.holder === contender) return true;
    if (seen?.eventId !== tail.eventId) seen = { eventId: tail.eventId, since: clock.monotonic() };
    return clock.monotonic() - seen.since > TAKEOVER * tail.state.ttl;
  };
}

/** Work of a role, term after term, with its status. `tried` is called when the work has started or failed to start. */
function createRole<Work extends HeldWork>(
  options: HolderOptions<Work>,
  stopping: AbortSignal,
  tried: (failure: unknown) => void = () => {},
) {
  const { name, clock, start, logger } = options;
  const now = () => new Date(clock.wall()).toISOString();
  const troubles = new Map<'lease' | 'work', string>();
  let work: Work | undefined;
  let status: LeaseStatus = {
    name,
    state: 'waiting',
    since: now(),
    holder: undefined,
    term: undefined,
    error: undefined,
  };

  function become(state: LeaseStatus['state']): void {
    status = { ...status, state, since: now() };
  }

  /** Undefined if the role has no holder. */
  function show(held: { readonly holder: LeaseHolder; readonly term: number } | undefined): void {
    status = { ...status, holder: held?.holder, term: held?.term };
  }

  /** An undefined error means that the part works again. Each failure and each recovery is logged once. */
  function trouble(part: 'lease' | 'work', error: unknown): void {
    const before = troubles.get(part);
    if (error !== undefined && before === undefined)
      logger.warn({ name, error: errorMessage(error) }, `${part} failed, retrying`);
    if (error === undefined && before !== undefined) logger.warn({ name }, `${part} recovered`);
    setTrouble(part, error === undefined ? undefined : errorMessage(error));
  }

  function setTrouble(part: 'lease' | 'work', message: string | undefined): void {
    if (message === undefined) troubles.delete(part);
    else troubles.set(part, message);
    status = { ...status, error: troubles.get('work') ?? troubles.get('lease') };
  }

  /** True if the work could not start, or ended before its term, so that other processes should try. */
  async function workDuring(term: RunningTerm): Promise<boolean> {
    if (term.signal.aborted) return true;
    try {
      work = await start(term);
      trouble('work', undefined);
    } catch (error) {
      trouble('work', error);
      tried(error);
      return true;
    }
    const begun = work;
    become('held');
    tried(undefined);
    const isLeft = await Promise.race([
      aborted(term.signal).then(() => false),
      begun.ended?.then(() => true) ?? new Promise<never>(() => undefined),
    ]);
    if (isLeft) logger.warn({ name, term: term.number }, 'work ended, releasing the role');
    else if (!term.isHeld()) logger.warn({ name, term: term.number }, 'lease lost');
    become('stopping');
    work = undefined;
    // The fences protect from effects of work that has not stopped.
    await begun.stop().catch((error: unknown) => trouble('work', error));
    return isLeft;
  }

  return {
    work: () => work,
    status: () => status,
    become,
    show,
    trouble,
    has: (part: 'lease' | 'work') => troubles.has(part),
    /** Another process does the work now, so this process's error is irrelevant. */
    forgetWork: () => setTrouble('work', undefined),
    /** Runs the work until the term ends. Resolves like `workDuring`. */
    async serve(term: RunningTerm): Promise<boolean> {
      stopping.addEventListener('abort', term.giveUp);
      if (stopping.aborted) term.giveUp();
      become('starting');
      const isLeft = await workDuring(term);
      term.end();
      stopping.removeEventListener('abort', term.giveUp);
      return isLeft;
    },
  };
}

interface LeaseOptions<Work extends HeldWork> extends HolderOptions<Work> {
  readonly store: Pick<EventStore, 'append' | 'read' | 'setMaxCount'>;
  readonly codec: Pick<EventCodec, 'encode'>;
  readonly reader: Pick<EventReader, 'read'>;
  /**
   * Lifetime of the lease in milliseconds. After a crash, the role has no holder for up to 1.25 times this, plus one pause
   * between reads.
   */
  readonly ttl: number;
  /** Resolves to false while the log is empty and the lease must not be its first event. Absent if it may be. */
  readonly mayStart?: () => Promise<boolean>;
}

interface Acquired {
  readonly term: RunningTerm;
  readonly tenure: Tenure;
  readonly revision: number;
}

export function holdLease<Work extends HeldWork>(options: LeaseOptions<Work>): LeaseHandle<Work> {
  const { name, holder, clock, ttl, store, codec, logger, mayStart = async () => true } = options;
  const stream = `${lease.category}-${name}`;
  const patience = Math.min(ttl / 3, MAX_TIMEOUT);
  const stopping = new AbortController();
  const role = createRole(options, stopping.signal);
  /** Revision of the last event with a state. */
  let lastObserved = 0;

  function show(state: LeaseState): void {
    const isHeld = state?.isReleased === false;
    role.show(isHeld ? { holder: { id: state.holder, label: state.label }, term: state.term } : undefined);
  }

  /** Rejects on timeout; later results are dropped. Uses the lease's clock, which p-timeout cannot. */
  async function inTime<Answer>(call: Promise<Answer>, milliseconds = patience): Promise<Answer> {
    const answered = new AbortController();
    const overdue = clock.pause(milliseconds, answered.signal).then((): never => {
      throw new Error('the event store does not respond');
    });
    try {
      const answer = await Promise.race([call, overdue]);
      role.trouble('lease', undefined);
      return answer;
    } finally {
      answered.abort();
    }
  }

  async function readFrom(revision: number): Promise<LeaseTail | undefined> {
    let tail: LeaseTail | undefined;
    for await (const stored of store.read(stream, revision)) {
      // The codec has checked the event against this stream's schemas.
      const event = (await options.reader.read(stored)) as unknown as LeaseEvent | undefined;
      const state: LeaseState = event === undefined ? tail?.state : lease.evolve(lease.initial, event);
      if (event !== undefined) lastObserved = stored.revision;
      tail = { state, revision: stored.revision, eventId: stored.id };
    }
    return tail;
  }

  /** Last event; undefined for an empty stream. Rejects if the store fails or times out. */
  async function readTail(): Promise<LeaseTail | undefined> {
    const read = async () => (await readFrom(lastObserved)) ?? (lastObserved > 0 ? readFrom(0) : undefined);
    const tail = await inTime(read());
    if (tail === undefined) lastObserved = 0;
    return tail;
  }

  /**
   * Repeats the identical append until its outcome is known. Undefined if `remaining` reaches 0 or `ended` is aborted first:
   * the event may still be recorded.
   */
  async function append(
    expected: ExpectedRevision,
    event: LeaseEvent,
    remaining: () => number,
    ended: AbortSignal,
  ): Promise<AppendResult | undefined> {
    const metadata = { ...causeOf('lease'), occurredAt: new Date(clock.wall()).toISOString() };
    const encoded = codec.encode(lease.category, randomId(), event, metadata);
    for (let backoff = SHORTEST_BACKOFF; ; backoff = Math.min(2 * backoff, LONGEST_BACKOFF)) {
      const left = remaining();
      if (left <= 0) return undefined;
      try {
        return await inTime(store.append(stream, expected, [encoded]), Math.min(left, patience));
      } catch (error) {
        if (error instanceof TypeError) throw error;
        role.trouble('lease', error);
      }
      if (ended.aborted) return undefined;
      await clock.pause(Math.min(backoff, remaining()), ended);
    }
  }

  /** Undefined when stopped. */
  async function contend(): Promise<Acquired | undefined> {
    const isDue = createTakeover(holder.id, clock);
    while (!stopping.signal.aborted) {
      try {
        const tail = await readTail();
        show(tail?.state);
        const { holder: seen } = role.status();
        if (seen !== undefined && seen.id !== holder.id) role.forgetWork();
        const taken =
          isDue(tail) && (tail !== undefined || (await mayStart())) ? await take(tail) : undefined;
        if (taken !== undefined) return taken;
      } catch (error) {
        role.trouble('lease', error);
      }
      await clock.pause(Math.min(ttl / 4, MAX_READ_PAUSE), stopping.signal);
    }
    return undefined;
  }

  /** Undefined if another process was first, or the outcome is unknown. */
  async function take(tail: LeaseTail | undefined): Promise<Acquired | undefined> {
    const number = (tail?.state?.term ?? 0) + 1;
    const tenure: Tenure = { name, holder: holder.id, label: holder.label, term: number, ttl };
    const term = createTerm({ name, number, ttl, sent: instantOf(clock), clock });
    const expected = tail?.revision ?? 'none';
    const result = await append(expected, LeaseTaken(tenure), term.remaining, stopping.signal);
    if (result?.outcome !== 'appended' || !term.isHeld()) return undefined;
    show({ ...tenure, isReleased: false });
    logger.info({ name, term: number }, 'lease taken');
    return { term, tenure, revision: result.revision };
  }

  async function renew({ term, tenure, revision }: Acquired): Promise<void> {
    for (let last = revision; ; ) {
      await clock.pause(Math.max(0, term.remaining() - (1 - RENEWAL) * ttl), term.over);
      if (!term.isHeld()) return;
      // Measured before the first attempt, which may be the one that was recorded and seen, even if a later attempt got the
      // response.
      const sent = instantOf(clock);
      const result = await append(last, LeaseRenewed(tenure), term.remaining, term.over);
      if (result?.outcome !== 'appended') return term.end();
      term.renew(sent);
      last = result.revision;
    }
  }

  /** Skipped while the store fails; then the lease expires. */
  async function release(tenure: Tenure): Promise<void> {
    if (role.has('lease')) return;
    const begun = instantOf(clock);
    const remaining = () => RELEASE_TIMEOUT - longestSince(begun, clock);
    try {
      const tail = await readTail();
      if (tail?.state?.holder !== holder.id || tail.state.isReleased) return;
      const never = new AbortController().signal;
      const result = await append(tail.revision, LeaseReleased(tenure), remaining, never);
      if (result?.outcome !== 'appended') return;
      show(undefined);
      logger.info({ name, term: tenure.term }, 'lease released');
    } catch (error) {
      role.trouble('lease', error);
    }
  }

  async function serve(taken: Acquired): Promise<void> {
    const { term, tenure } = taken;
    const renewing = renew(taken).catch((error: unknown) => {
      role.trouble('lease', error);
      term.end();
    });
    // Runs in the background, because the lease also works on a long stream.
    const shortening = inTime(store.setMaxCount(stream, EVENTS_RETAINED)).catch((error: unknown) =>
      role.trouble('lease', error),
    );
    const isLeft = await role.serve(term);
    await Promise.all([renewing, shortening]);
    if (stopping.signal.aborted || isLeft) await release(tenure);
    role.become('waiting');
    // Lets another process try the work.
    if (isLeft) await clock.pause(ttl, stopping.signal);
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const taken = await contend();
      if (taken !== undefined) await serve(taken);
    }
    role.become('stopped');
  }

  const running = run();
  return {
    work: role.work,
    status: role.status,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Milliseconds before work is restarted, by the number of consecutive failures; the last value repeats. */
const RESTART_PAUSES = [100, 500, 2_000, 5_000];

/**
 * Holds a role without a lease, for a store that only this process uses. Restarts the work if it fails to start or ends.
 * Resolves after the first start or failure. If an operator must correct that failure, it rejects and does not hold the role.
 */
export async function alwaysHeld<Work extends HeldWork>(
  options: HolderOptions<Work>,
): Promise<LeaseHandle<Work>> {
  const { name, holder, clock } = options;
  const stopping = new AbortController();
  let tried: (failure: unknown) => void = () => {};
  const firstTry = new Promise<unknown>((resolve) => {
    tried = resolve;
  });
  const role = createRole(options, stopping.signal, tried);

  async function run(): Promise<void> {
    for (let failures = 0; !stopping.signal.aborted; ) {
      role.show({ holder, term: 1 });
      await role.serve(
        createTerm({ name, number: 1, ttl: Number.POSITIVE_INFINITY, sent: instantOf(clock), clock }),
      );
      role.become('waiting');
      failures = role.has('work') ? failures + 1 : 0;
      await clock.pause(backoff(RESTART_PAUSES, Math.max(0, failures - 1)), stopping.signal);
    }
    role.show(undefined);
    role.become('stopped');
  }

  const running = run();
  async function stop(): Promise<void> {
    stopping.abort();
    await running;
  }
  const failure = await firstTry;
  if (failure instanceof OperatorError) {
    await stop();
    throw failure;
  }
  return { work: role.work, status: role.status, stop };
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

/** Term that is checked right before each act, by the clocks. */
type Fence = Pick<LeaseTerm, 'name' | 'isHeld'>;

/** Records nothing after the end of the term, which is checked before the decision and before each append. */
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

/** Sending and airdrops reject with `LeaseLost`, without effect, unless the term is held. */
export function fencedChain(chain: Chain, term: Fence): Chain {
  return fenced(chain, ['send', 'airdrop'], term);
}

type UnusedFiles = Pick<BlobStore, 'leftAlone' | 'retain' | 'remove'>;

/** Retaining and removing files rejects with `LeaseLost`, without effect, unless the term is held. */
export function fencedFiles(files: UnusedFiles, term: Fence): UnusedFiles {
  return fenced(files, ['retain', 'remove'], term);
}

function fenced<Port extends object>(port: Port, acts: readonly (keyof Port)[], term: Fence): Port {
  const names = new Set<PropertyKey>(acts);
  return wrapCalls(port, async (method, call) => {
    if (names.has(method)) requireHeld(term);
    return call();
  });
}

function requireHeld(term: Fence): void {
  if (!term.isHeld()) throw new LeaseLost(term.name);
}
