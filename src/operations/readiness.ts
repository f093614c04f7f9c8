/** Checks every part that a process needs, and says which of them work. Its roles decide which parts those are. */
import pTimeout from 'p-timeout';
import type { FeePayer } from '../drafts/fee-payer.ts';
import type { StoreTrouble } from '../kernel/ports/errors.ts';
import type { EventStore } from '../kernel/ports/event-store.ts';
import type { Clock } from '../kernel/runtime/clock.ts';
import type { UndecodableEvent } from '../kernel/runtime/event-codec.ts';
import type { EventReader } from '../kernel/runtime/event-reader.ts';
import type { LogFollower } from '../kernel/runtime/log-follower.ts';
import type { ProjectionStatus, RebuildProgress } from '../kernel/runtime/projection-status.ts';
import type { Projections } from '../kernel/runtime/projector.ts';
import type { Repetition, RepetitionStatus } from '../kernel/runtime/repeat.ts';
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

interface Health {
  readonly healthy: () => boolean;
  /** What keeps the store from working, where it knows. */
  readonly trouble: () => StoreTrouble | undefined;
}

export function watchedStore(store: Pick<EventStore, 'head'>, health: Health): Watched {
  return watchedDatabase('event store', health, async () => ({ position: await store.head() }));
}

/** `more` is asked while there is no trouble. */
export function watchedDatabase(
  what: string,
  { healthy, trouble }: Health,
  more: () => Promise<ReadinessCheck['details']> = async () => ({}),
): Watched {
  return watched(what, async () => {
    const found = trouble();
    if (found !== undefined) return { ok: false, details: troubleDetails(found) };
    const details = await more();
    return { ok: healthy(), details };
  });
}

/** A store of files, under what it holds. */
export function watchedFiles(what: string, trouble: () => Promise<StoreTrouble | undefined>): Watched {
  return watched(what, async () => {
    const found = await trouble();
    return found === undefined ? { ok: true, details: {} } : { ok: false, details: troubleDetails(found) };
  });
}

function troubleDetails({ kind, where, reason, whatToDo }: StoreTrouble): ReadinessCheck['details'] {
  return { error: kind, where, reason, whatToDo };
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

/** How many of the events that cannot be decoded are shown; the operator's list has more. */
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

/** What an operator needs to quarantine the event. */
export function placeOf(event: UndecodableEvent | undefined): ReadinessCheck['details'] {
  return event === undefined
    ? {}
    : { eventId: event.eventId, stream: event.stream, revision: event.revision };
}

function detailsOf({ unit, done, of, percent, secondsLeft }: RebuildProgress): ReadinessCheck['details'] {
  return { [unit]: done, [`${unit}InLog`]: of, percent, secondsLeft: secondsLeft ?? null };
}

/** `floor` in lamports. */
export function watchedFeePayer(
  feePayer: Pick<FeePayer, 'balance'>,
  address: string,
  floor: bigint,
): Watched {
  return watched('fee payer', async () => {
    const lamports = await feePayer.balance();
    return { ok: lamports >= floor, details: { address, lamports: lamports.toString() } };
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

/** Whether the latest run succeeded and the next is not long overdue: a run that never ends is no success. */
export function loopWorks({ since, lastSuccess, error, pause }: RepetitionStatus, now: Date): boolean {
  if (error !== undefined) return false;
  return now.getTime() - Date.parse(lastSuccess ?? since) < pause + LOOP_STALE_AFTER;
}
