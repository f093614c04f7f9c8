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
import type { AppendResult, EventStore, ExpectedRevision, RecordedEvent } from '../ports/event-store.ts';
import type { Logger } from '../ports/logger.ts';
import type { EventCodec } from '../runtime/event-codec.ts';
import type { EventReader } from '../runtime/event-reader.ts';
import { causeOf } from '../runtime/execute.ts';
import { randomId } from '../runtime/ids.ts';
import { messageOf } from '../runtime/message-of.ts';
import {
  type LeaseEvent,
  LeaseReleased,
  LeaseRenewed,
  type LeaseState,
  LeaseTaken,
  lease,
  type Tenure,
} from './lease.ts';
import { longestSince, momentOf } from './lease-clock.ts';
import type { HeldWork, KeeperOptions, LeaseKeeper, LeaseStatus } from './lease-keeper.ts';
import { createTerm, type RunningTerm } from './lease-term.ts';
import { createTakeover, type LeaseTail, type Takeover } from './takeover.ts';

/** The longest wait for one call to the store. Milliseconds, like all that follow. */
const LONGEST_PATIENCE = 5_000;
/** The longest pause between two looks at the stream. */
const LONGEST_LOOK_PAUSE = 1_000;
/** How long a stop waits for the release. */
const RELEASE_PATIENCE = 2_000;
/** Pauses before a failed append is repeated. */
const [SHORTEST_BACKOFF, LONGEST_BACKOFF] = [50, 1_000];
/** The share of the ttl after which the holder renews. */
const RENEWAL = 1 / 3;
/** The last event is enough; the others are for people who inspect the stream. */
const EVENTS_KEPT = 20;

/** Events of leases that this process hears by following the log. */
export interface LeaseNews {
  /** True while new events are heard soon after they are recorded. */
  isFollowed(): boolean;
  /** Calls `heard` for each event of any lease, in order and none missing, until the returned function is called. */
  listen(heard: (event: RecordedEvent) => void): () => void;
}

export interface LeaseOptions<Work extends HeldWork> extends KeeperOptions<Work> {
  readonly store: Pick<EventStore, 'append' | 'read' | 'keepLast'>;
  readonly codec: Pick<EventCodec, 'encode'>;
  readonly reader: Pick<EventReader, 'read'>;
  /** Saves a contender from reading the stream again and again. */
  readonly news?: LeaseNews;
  /** Milliseconds. After a crash nobody holds the role for up to 1.25 times this, plus one pause between reads. */
  readonly ttl: number;
  /** Whether the log has begun, or the lease may be its first event. Without this, it may. */
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
  const hearing = createHearing(options.news, stream, follow);

  function become(state: LeaseStatus['state']): void {
    status = { ...status, state, since: now() };
  }

  function show(known: LeaseState): void {
    const held = known?.isReleased === false ? known : undefined;
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

  async function follow(tail: LeaseTail | undefined, stored: RecordedEvent): Promise<LeaseTail> {
    // The codec has checked the event against this very stream's schemas.
    const event = (await options.reader.read(stored)) as unknown as LeaseEvent | undefined;
    const state: LeaseState = event === undefined ? tail?.state : lease.evolve(lease.initial, event);
    if (event !== undefined) lastSeen = stored.revision;
    return { state, revision: stored.revision, eventId: stored.id };
  }

  async function readFrom(revision: number): Promise<LeaseTail | undefined> {
    let tail: LeaseTail | undefined;
    for await (const stored of store.read(stream, revision)) tail = await follow(tail, stored);
    return tail;
  }

  /** The last event; undefined without one. Rejects when the store fails or takes too long. */
  async function readTail(): Promise<LeaseTail | undefined> {
    const settle = hearing.beginReading();
    const read = async () => (await readFrom(lastSeen)) ?? (lastSeen > 0 ? readFrom(0) : undefined);
    const tail = await inTime(read());
    if (tail === undefined) lastSeen = 0;
    settle(tail);
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
    const takeover = createTakeover(holder.id, clock);
    let failed = false;
    while (!stopping.signal.aborted) {
      try {
        // Only a call to the store shows that a failure is over.
        const heard = failed ? 'unknown' : hearing.latest();
        failed = false;
        const { tail, isDue } = await look(takeover, heard);
        show(tail?.state);
        // Another process does the work now, so this process's error no longer matters.
        if (status.holder !== undefined && status.holder.id !== holder.id) setTrouble('work', undefined);
        const taken = isDue ? await take(tail) : undefined;
        if (taken !== undefined) return taken;
        failed = isDue;
      } catch (error) {
        trouble('lease', error);
        failed = true;
      }
      await clock.pause(Math.min(ttl / 4, LONGEST_LOOK_PAUSE), stopping.signal);
    }
    return undefined;
  }

  /** Reads the stream before the lease is taken, and where nothing was heard: what was heard may be late. */
  async function look(takeover: Takeover, heard: Heard) {
    if (heard !== 'unknown' && !takeover.isDue(heard)) return { tail: heard, isDue: false };
    const tail = await readTail();
    return { tail, isDue: takeover.isDue(tail) && (tail !== undefined || (await mayBegin())) };
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
    if (isLeft) logger.warn({ name, term: term.number }, 'work ended, role given up');
    else if (!term.isHeld()) logger.warn({ name, term: term.number }, 'lease lost');
    become('stopping');
    work = undefined;
    // The fences hold, whatever the work still does.
    await begun.stop().catch((error: unknown) => trouble('work', error));
    return isLeft;
  }

  async function serve(taken: Taken): Promise<void> {
    const { term, tenure } = taken;
    const giveUp = () => term.giveUp();
    stopping.signal.addEventListener('abort', giveUp);
    if (stopping.signal.aborted) giveUp();
    become('starting');
    const renewing = renew(taken).catch((error: unknown) => {
      trouble('lease', error);
      term.end();
    });
    // In the background: the lease works on a long stream too.
    const shortening = inTime(store.keepLast(stream, EVENTS_KEPT)).catch((error: unknown) =>
      trouble('lease', error),
    );
    const isLeft = await workDuring(term);
    term.end();
    stopping.signal.removeEventListener('abort', giveUp);
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
      hearing.end();
    },
  };
}

/** The last event; `unknown` where it was not read yet, or where something may not have been heard. */
type Heard = LeaseTail | undefined | 'unknown';

/** Keeps the last event of the stream: the one that was read, or a later one that was heard. */
function createHearing(
  news: LeaseNews | undefined,
  stream: string,
  follow: (tail: LeaseTail | undefined, stored: RecordedEvent) => Promise<LeaseTail>,
) {
  let latest: Heard = 'unknown';
  let heard = 0;
  const end = news?.listen((stored) => void hear(stored).catch(forget));

  function forget(): void {
    latest = 'unknown';
  }

  async function hear(stored: RecordedEvent): Promise<void> {
    if (stored.stream !== stream) return;
    heard += 1;
    // It is read, or was.
    if (latest === 'unknown' || (latest !== undefined && stored.revision <= latest.revision)) return;
    const before = heard;
    const next = await follow(latest, stored);
    latest = heard === before ? next : 'unknown';
  }

  return {
    latest: (): Heard => (news?.isFollowed() ? latest : 'unknown'),
    /** Give what was read to the function that it returns. */
    beginReading() {
      forget();
      const before = heard;
      return (tail: LeaseTail | undefined): void => {
        // Something that was heard meanwhile may be missing in it.
        if (heard === before) latest = tail;
      };
    },
    end: () => end?.(),
  };
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}
