/** Checks every part that the roles of this process need, and reports the state of each. */
import pTimeout from 'p-timeout';
import type { FeePayer } from '../drafts/fee-payer.ts';
import type { StoreTrouble, StoreUnavailable } from '../kernel/ports/errors.ts';
import type { Clock } from '../kernel/runtime/clock.ts';
import type { UndecodableEvent } from '../kernel/runtime/event-codec.ts';
import type { EventReader } from '../kernel/runtime/event-reader.ts';
import type { LogFollower } from '../kernel/runtime/log-follower.ts';
import type { ProjectionStatus, RebuildProgress } from '../kernel/runtime/projection-target.ts';
import type { Projections } from '../kernel/runtime/projector.ts';
import { type RemoteProjector, SILENT_AFTER } from '../kernel/runtime/remote-projector.ts';
import type { Repetition } from '../kernel/runtime/repeat.ts';
import { throttled } from '../kernel/runtime/throttle.ts';
import type { EventFeed } from '../server/delivery/feed/event-feed.ts';
import { type ReadinessAnswer, type ReadinessCheck, readinessAnswer } from '../views/readiness-view.ts';

/** Milliseconds after its pause in which a loop must have succeeded. */
const LOOP_STALE_AFTER = 120_000;

/** Milliseconds after which a probe counts as failed. */
const CHECK_TIMEOUT = 3_000;

/** Lifetime in milliseconds of a cached result: readiness is public and not rate-limited. */
const CACHED_FOR = 100;

/** Health probe of one part, or of several parts of the same kind. A rejection means that the part does not work. */
export interface Watched {
  readonly name: string;
  check(): Promise<readonly ReadinessCheck[]>;
}

/** The returned function checks all parts concurrently. It never rejects, and waits at most `patience` for each. */
export function createReadiness(
  clock: Clock,
  parts: readonly Watched[],
  patience = CHECK_TIMEOUT,
): () => Promise<ReadinessAnswer> {
  return throttled(CACHED_FOR, clock, async () =>
    readinessAnswer((await Promise.all(parts.map((part) => runCheck(part, patience)))).flat()),
  );
}

/** Runs a probe; a part whose probe fails does not work. */
async function runCheck({ name, check }: Watched, patience: number): Promise<readonly ReadinessCheck[]> {
  const without = (error: string) => [{ name, ok: false, details: { error } }];
  try {
    return await pTimeout(check(), { milliseconds: patience, fallback: () => without('no response') });
  } catch (error) {
    return without(error instanceof Error ? error.name : 'unknown');
  }
}

/** Wraps a probe of one part under its name. */
export function watched(
  name: string,
  look: () => Promise<Omit<ReadinessCheck, 'name'>> | Omit<ReadinessCheck, 'name'>,
): Watched {
  return { name, check: async () => [{ name, ...(await look()) }] };
}

/** Variant of `watched` for a part that exists only while this process holds a role. */
export function watchedWhileHeld<Part>(
  name: string,
  held: () => Part | undefined,
  check: (part: Part) => Omit<ReadinessCheck, 'name'>,
): Watched {
  return {
    name,
    async check() {
      const part = held();
      return part === undefined ? [] : [{ name, ...check(part) }];
    },
  };
}

interface Health {
  /** Fault that prevents the store from working, if known. */
  readonly trouble: () => StoreTrouble | undefined | Promise<StoreTrouble | undefined>;
}

/** Probe of a store, named by its content. `more` is called only without a fault. */
export function watchedContent(
  what: string,
  { trouble }: Health,
  more: () => Promise<ReadinessCheck['details']> = async () => ({}),
): Watched {
  return watched(what, async () => {
    const found = await trouble();
    if (found === undefined) return { ok: true, details: await more() };
    const { kind: error, where, reason, whatToDo } = found;
    return { ok: false, details: { error, where, reason, whatToDo } };
  });
}

/**
 * `grace`: milliseconds that a projection may take to catch up before it counts as failed. When the writer of read
 * models changes, they catch up in all processes concurrently, and still serve queries.
 */
export function watchedProjections(
  log: Pick<LogFollower, 'end'>,
  projector: Pick<Projections, 'status'>,
  { grace = 0, now = () => performance.now() }: { readonly grace?: number; readonly now?: () => number } = {},
): Watched {
  const lastCurrent = new Map<string, number>();
  function isFine({ name, isFileBacked, state, isCurrent, error }: ProjectionStatus) {
    // A file-backed collection is built in the background; an unreadable file is reported until it can be read.
    if (isFileBacked) return state !== 'failed' && error === undefined;
    // While a new version is built, the old version serves every query and includes every write.
    if (state === 'live' || (state === 'building' && isCurrent)) {
      lastCurrent.set(name, now());
      return true;
    }
    return state === 'building' && now() - (lastCurrent.get(name) ?? Number.NEGATIVE_INFINITY) < grace;
  }
  return {
    name: 'projections',
    async check() {
      const end = await log.end();
      return projector.status().map((status) => {
        const { name, version, isFileBacked, state, served, position, progress, error, blockedBy } = status;
        return {
          name: `projection ${name}`,
          ok: isFine(status),
          ...(isFileBacked ? { isPartial: true as const } : {}),
          details: {
            version,
            state,
            served: served ?? null,
            position,
            behind: position < end,
            error: error ?? null,
            ...placeOf(blockedBy),
            ...(progress === undefined ? {} : detailsOf(progress)),
          },
        };
      });
    },
  };
}

/** Number of undecodable events in readiness; the operator's list contains more. */
const MAX_UNDECODABLE = 10;

/**
 * Reports each undecodable event until it is quarantined or gone. It blocks only its own stream; a projection or a feed
 * that waits for it has its own check.
 */
export function watchedUndecodable(reader: Pick<EventReader, 'undecodable'>): Watched {
  return {
    name: 'recorded events',
    async check() {
      const found = reader.undecodable();
      if (found.length === 0) return [{ name: 'recorded events', ok: true, details: { undecodable: 0 } }];
      return found.slice(0, MAX_UNDECODABLE).map((event) => ({
        name: 'recorded events',
        ok: false,
        isPartial: true,
        details: {
          undecodable: found.length,
          ...placeOf(event),
          eventType: event.eventType,
          error: event.problem,
          since: event.since,
        },
      }));
    },
  };
}

/** Data that an operator needs to quarantine the event. */
export function placeOf(event: UndecodableEvent | undefined): ReadinessCheck['details'] {
  return event === undefined
    ? {}
    : { eventId: event.eventId, stream: event.stream, revision: event.revision };
}

function detailsOf({ unit, done, of, percent, secondsLeft }: RebuildProgress): ReadinessCheck['details'] {
  return { [unit]: done, [`${unit}InLog`]: of, percent, secondsLeft: secondsLeft ?? null };
}

/** `missing`: the work that waits while the balance is below the floor, in lamports. */
export function watchedPayer(
  name: string,
  { address, balance, floor }: Pick<FeePayer, 'address' | 'balance' | 'floor'>,
  missing: string,
  isPartial?: true,
): Watched {
  return watched(name, async () => {
    const lamports = await balance();
    const reason = `the balance is below ${floor} lamports: ${missing}`;
    return {
      ok: lamports >= floor,
      ...(isPartial && { isPartial }),
      details: { address, lamports: lamports.toString(), ...(lamports < floor && { reason }) },
    };
  });
}

/** Idle counts as working: the feed subscribes to the log when it has a subscriber. */
export function watchedEventFeed(eventFeed: Pick<EventFeed, 'status'>): Watched {
  return watched('event feed', () => {
    const { state, position, subscribers, blockedBy } = eventFeed.status();
    return {
      ok: state !== 'failed' && state !== 'blocked',
      details: { state, position, subscribers, ...placeOf(blockedBy) },
    };
  });
}

/** The set of loops may change, because another process runs them while it holds the lease. */
export function watchedLoops(
  repetitions: () => { readonly [name: string]: Pick<Repetition, 'status'> },
  clock: Clock,
): Watched {
  return {
    name: 'loops',
    check: async () =>
      Object.entries(repetitions()).map(([name, repetition]) => {
        const status = repetition.status();
        const { lastSuccess, error } = status;
        return {
          name,
          ok: loopWorks(status, clock.now()),
          details: { lastSuccess: lastSuccess ?? null, error: error ?? null },
        };
      }),
  };
}

/** True if the latest run succeeded and the next is not long overdue: a run that never ends is not a success. */
export function loopWorks(
  { since, lastSuccess, error, pause }: ReturnType<Repetition['status']>,
  now: Date,
): boolean {
  if (error !== undefined) return false;
  return now.getTime() - Date.parse(lastSuccess ?? since) < pause + LOOP_STALE_AFTER;
}

/**
 * `patience`: milliseconds without a writer after which the check fails. Within this time another process normally takes over
 * the role. Queries still read the earlier state.
 */
export function watchedReadModels(
  followed: Pick<RemoteProjector, 'writer'>,
  options: {
    readonly patience: number;
    readonly isWriter: () => boolean;
    /** Reason why this process cannot write them, if it is the writer. */
    readonly failingWrite: () => StoreUnavailable | undefined;
  },
): Watched {
  const { patience, isWriter, failingWrite } = options;
  return watched('shared read models', () => {
    const { term, release, silentFor, ...reading } = followed.writer();
    const isSilent = silentFor >= SILENT_AFTER;
    // A write failure of this process is over once another process writes.
    const writing = isSilent || isWriter() ? failingWrite() : undefined;
    const { error, whatToDo } =
      reading.error === undefined ? { error: writing?.message, whatToDo: writing?.whatToDo } : reading;
    return {
      ok: silentFor < (error === undefined ? patience : SILENT_AFTER),
      details: {
        writer: term === undefined || isSilent ? null : isWriter() ? 'this process' : 'another process',
        term: term ?? null,
        release: release ?? null,
        secondsSilent: isSilent ? Math.floor(silentFor / 1_000) : 0,
        error: error ?? (isSilent ? NOBODY_WRITES : null),
        ...(whatToDo === undefined ? {} : { whatToDo }),
      },
    };
  });
}

const NOBODY_WRITES =
  'no process writes the read models, so they are out of date; start a process with the role `projector`, or check `/ready` of the process that has it';
