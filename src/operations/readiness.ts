/** Checks every part that a process needs, and says which of them work. Its roles decide which parts those are. */
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
import { type ReadinessAnswer, type ReadinessCheck, readinessAnswer } from '../views/readiness.ts';

/** A loop works only if it has succeeded within this time after its pause. Milliseconds. */
const LOOP_STALE_AFTER = 120_000;

/** Probes do not wait long: a part that has not answered by then does not work. Milliseconds. */
const LOOK_PATIENCE = 3_000;

/** Anybody may request readiness, as often as they like: all callers within this time share an answer. Milliseconds. */
const CACHED_FOR = 100;

/** One part, or several of a kind. A rejection means that it does not work. */
export interface Watched {
  readonly name: string;
  look(): Promise<readonly ReadinessCheck[]>;
}

/** The returned function checks all parts concurrently. It never rejects, and waits at most `patience` for each. */
export function createReadiness(
  clock: Clock,
  parts: readonly Watched[],
  patience = LOOK_PATIENCE,
): () => Promise<ReadinessAnswer> {
  return throttled(CACHED_FOR, clock, async () =>
    readinessAnswer((await Promise.all(parts.map((part) => lookAt(part, patience)))).flat()),
  );
}

/** A part whose check fails does not work. */
async function lookAt({ name, look }: Watched, patience: number): Promise<readonly ReadinessCheck[]> {
  const without = (error: string) => [{ name, ok: false, details: { error } }];
  try {
    return await pTimeout(look(), { milliseconds: patience, fallback: () => without('no answer') });
  } catch (error) {
    return without(error instanceof Error ? error.name : 'unknown');
  }
}

/** Watches one part under its name. */
export function watched(
  name: string,
  look: () => Promise<Omit<ReadinessCheck, 'name'>> | Omit<ReadinessCheck, 'name'>,
): Watched {
  return { name, look: async () => [{ name, ...(await look()) }] };
}

/** `watched` for a part that this process has only while it holds a role. */
export function watchedWhileHeld<Part>(
  name: string,
  held: () => Part | undefined,
  check: (part: Part) => Omit<ReadinessCheck, 'name'>,
): Watched {
  return {
    name,
    async look() {
      const part = held();
      return part === undefined ? [] : [{ name, ...check(part) }];
    },
  };
}

interface Health {
  /** The fault that keeps the store from working, if it knows. */
  readonly trouble: () => StoreTrouble | undefined | Promise<StoreTrouble | undefined>;
}

/** A store by what it holds. `more` is asked while there is no trouble. */
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
 * `grace`: how long, in milliseconds, one may catch up before it counts as one that does not work. Where the writer of
 * read models changes, they catch up in all processes at once, and answer meanwhile.
 */
export function watchedProjections(
  log: Pick<LogFollower, 'end'>,
  projector: Pick<Projections, 'status'>,
  { grace = 0, now = () => performance.now() }: { readonly grace?: number; readonly now?: () => number } = {},
): Watched {
  const lastCurrent = new Map<string, number>();
  function isFine({ name, isFiled, state, isCurrent, error }: ProjectionStatus) {
    // It is built in the background; a file that cannot be read is told until it can.
    if (isFiled) return state !== 'failed' && error === undefined;
    // While a new version is built, the old one answers every query, and shows every write.
    if (state === 'live' || (state === 'building' && isCurrent)) {
      lastCurrent.set(name, now());
      return true;
    }
    return state === 'building' && now() - (lastCurrent.get(name) ?? Number.NEGATIVE_INFINITY) < grace;
  }
  return {
    name: 'projections',
    async look() {
      const end = await log.end();
      return projector.status().map((status) => {
        const { name, version, isFiled, state, served, position, progress, error, blockedBy } = status;
        return {
          name: `projection ${name}`,
          ok: isFine(status),
          ...(isFiled ? { isPartial: true as const } : {}),
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

/** Number of undecodable events that are shown; the operator's list has more. */
const UNDECODABLE_SHOWN = 10;

/**
 * Each is shown until it is quarantined or gone. It stops its own stream, and others serve; a projection or a feed that waits at
 * it has a check of its own.
 */
export function watchedUndecodable(reader: Pick<EventReader, 'undecodable'>): Watched {
  return {
    name: 'recorded events',
    async look() {
      const found = reader.undecodable();
      if (found.length === 0) return [{ name: 'recorded events', ok: true, details: { undecodable: 0 } }];
      return found.slice(0, UNDECODABLE_SHOWN).map((event) => ({
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

/** Facts that an operator needs to quarantine the event. */
export function placeOf(event: UndecodableEvent | undefined): ReadinessCheck['details'] {
  return event === undefined
    ? {}
    : { eventId: event.eventId, stream: event.stream, revision: event.revision };
}

function detailsOf({ unit, done, of, percent, secondsLeft }: RebuildProgress): ReadinessCheck['details'] {
  return { [unit]: done, [`${unit}InLog`]: of, percent, secondsLeft: secondsLeft ?? null };
}

/** `missing`: what waits while it holds less than its floor, in lamports. */
export function watchedPayer(
  name: string,
  { address, balance, floor }: Pick<FeePayer, 'address' | 'balance' | 'floor'>,
  missing: string,
  isPartial?: true,
): Watched {
  return watched(name, async () => {
    const lamports = await balance();
    const reason = `it holds less than ${floor} lamports: ${missing}`;
    return {
      ok: lamports >= floor,
      ...(isPartial && { isPartial }),
      details: { address, lamports: lamports.toString(), ...(lamports < floor && { reason }) },
    };
  });
}

/** Idle is fine: it follows the log once it has a subscriber. */
export function watchedEventFeed(eventFeed: Pick<EventFeed, 'status'>): Watched {
  return watched('event feed', () => {
    const { state, position, subscribers, blockedBy } = eventFeed.status();
    return {
      ok: state !== 'failed' && state !== 'blocked',
      details: { state, position, subscribers, ...placeOf(blockedBy) },
    };
  });
}

/** The set of loops may change: another process runs them while it holds the lease. */
export function watchedLoops(
  repetitions: () => { readonly [name: string]: Pick<Repetition, 'status'> },
  clock: Clock,
): Watched {
  return {
    name: 'loops',
    look: async () =>
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

/** True if the latest run succeeded and the next is not long overdue: a run that never ends is no success. */
export function loopWorks(
  { since, lastSuccess, error, pause }: ReturnType<Repetition['status']>,
  now: Date,
): boolean {
  if (error !== undefined) return false;
  return now.getTime() - Date.parse(lastSuccess ?? since) < pause + LOOP_STALE_AFTER;
}

/**
 * `patience`: how long, in milliseconds, nobody may write before this process counts as one that does not work: until
 * then another takes the role over. Queries answer meanwhile with what was written before.
 */
export function watchedReadModels(
  followed: Pick<RemoteProjector, 'writer'>,
  options: {
    readonly patience: number;
    readonly isWriter: () => boolean;
    /** Why this process cannot write them, if it does. */
    readonly failingWrite: () => StoreUnavailable | undefined;
  },
): Watched {
  const { patience, isWriter, failingWrite } = options;
  return watched('shared read models', () => {
    const { term, release, silentFor, ...reading } = followed.writer();
    const isSilent = silentFor >= SILENT_AFTER;
    // A failure of this process to write is over once another one writes.
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
  'no process writes the read models, which show what was recorded before: start one with the role `projector`, or look into `/ready` of the one that has it';
