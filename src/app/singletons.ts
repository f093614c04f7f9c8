/**
 * Runs the work of roles that only one process may hold: under a lease on a shared log, without one on a private log.
 * Reports the holders of roles.
 */
import { hostname } from 'node:os';
import { type EventStore, START } from '../kernel/ports/event-store.ts';
import type { Logger } from '../kernel/ports/logger.ts';
import type { Clock } from '../kernel/runtime/clock.ts';
import type { EventCodec } from '../kernel/runtime/event-codec.ts';
import type { EventReader } from '../kernel/runtime/event-reader.ts';
import type { Executor } from '../kernel/runtime/execute.ts';
import { randomId } from '../kernel/runtime/ids.ts';
import type { HeldWork, LeaseHandle, LeaseStatus, LeaseTerm } from '../kernel/runtime/lease.ts';
import { alwaysHeld, holdLease, lease, systemLeaseClock } from '../kernel/runtime/lease.ts';
import { throttled } from '../kernel/runtime/throttle.ts';
import type { Configuration } from '../operations/config/configuration.ts';
import type { Role } from '../operations/config/roles.ts';
import type { Watched } from '../operations/readiness.ts';
import type { RoleStatus } from '../queries/get-overview.ts';
import type { ReadinessCheck } from '../views/readiness-view.ts';
import type { WhenClosing } from './closing.ts';

export function createSingletons(options: {
  readonly configuration: Pick<Configuration, 'leaseTtlMs'>;
  readonly store: EventStore;
  readonly codec: EventCodec;
  readonly reader: EventReader;
  readonly isShared: boolean;
  readonly loggerOf: (part: string) => Logger;
  readonly whenClosing: WhenClosing;
}) {
  const { configuration, store, codec, reader, isShared, loggerOf, whenClosing } = options;
  const holder = { id: randomId(), label: `${hostname()} ${process.pid}` };
  const clock = systemLeaseClock;
  const leases: LeaseHandle<HeldWork>[] = [];
  const status = () => leases.map((leased) => leased.status());
  /** The log's first event identifies its owner, and a process without seed or chain cannot write that event. */
  const hasBegun = async () => (await store.head()) !== START;

  return {
    /**
     * Does the work while this process holds the role, from now until stopped. If no other process can do it, the work has
     * started when this resolves, and a failed start rejects.
     */
    async run<Work extends HeldWork>(name: string, start: (term: LeaseTerm) => Promise<Work>) {
      let term: LeaseTerm | undefined;
      const begin = (begun: LeaseTerm) => {
        term = begun;
        return start(begun);
      };
      const common = { name, holder, clock, start: begin, logger: loggerOf(`lease ${name}`) };
      const lease = isShared
        ? holdLease({
            ...common,
            store,
            codec,
            reader,
            ttl: configuration.leaseTtlMs,
            mayStart: hasBegun,
          })
        : await alwaysHeld(common);
      leases.push(lease);
      whenClosing(lease.stop);
      return {
        /** Work running in this process; undefined if this process does not hold the role. */
        work: lease.work,
        isHeld: () => term?.isHeld() ?? false,
      };
    },
    status,
    /** Stops all roles concurrently, because each may wait for its running work. */
    async stop() {
      await Promise.all(leases.map((lease) => lease.stop()));
    },
    watched: {
      name: 'leases',
      check: async () => status().map((one) => checkOf(one, holder.id)),
    } satisfies Watched,
  };
}

/** Waiting for another process's role is healthy. Readiness is public, so it contains no host names. */
function checkOf({ name, state, since, holder, term, error }: LeaseStatus, own: string): ReadinessCheck {
  const heldBy = holder === undefined ? null : holder.id === own ? 'this process' : 'another process';
  const details = { state, since, heldBy, term: term ?? null, error: error ?? null };
  return { name: `role ${name}`, ok: error === undefined, details };
}

/** In display order. */
const HELD_BY_ONE = ['settler', 'distributor', 'projector', 'publisher', 'notary'] as const satisfies Role[];
/** Roles that every service needs. */
const NEEDED = ['settler', 'distributor'] as const;
/** Lifetime in milliseconds of a cached lease. */
const STATUS_TTL = 5_000;
/**
 * Number of ttls without a renewal after which no process is considered to hold the role. Another process normally
 * takes over within 1.25 ttls; the rest allows for differing clocks.
 */
const TERMS_WAITED = 3;

export type RoleStatuses = ReturnType<typeof createRoleStatuses>;

export function createRoleStatuses(options: {
  readonly roles: ReadonlySet<Role>;
  readonly isShared: boolean;
  readonly executor: Pick<Executor, 'load'>;
  readonly clock: Clock;
  /** Roles that this process holds or waits for. */
  readonly own: () => readonly Pick<LeaseStatus, 'name' | 'holder'>[];
}) {
  const { roles, isShared, executor, clock, own } = options;
  const leases = new Map(
    HELD_BY_ONE.map((role) => [role, throttled(STATUS_TTL, clock, () => lastLease(executor, role))] as const),
  );

  async function seen(role: (typeof HELD_BY_ONE)[number]): Promise<readonly RoleStatus[]> {
    const mine = own().find(({ name }) => name === role);
    const free = { role, state: 'free', holder: null, until: null } as const;
    const found = isShared ? await leases.get(role)?.() : undefined;
    if (found === undefined) {
      // A private log has no leases, and no other process uses it.
      const holder = isShared ? undefined : mine?.holder;
      if (holder !== undefined) return [{ ...free, state: 'held', holder: holder.label }];
      return mine !== undefined || NEEDED.some((needed) => needed === role) ? [free] : [];
    }
    if (found.isReleased) return [free];
    const until = new Date(found.recordedAt + found.ttl);
    const state = clock.now() > until ? 'lapsed' : 'held';
    return [{ role, state, holder: found.label, until: until.toISOString() }];
  }

  return {
    /** Omits roles that were never held, unless every service needs them. Rejects if the store fails. */
    all: async () => (await Promise.all(HELD_BY_ONE.map(seen))).flat(),
    /** True if any process does the work of the role. Rejects if the store fails. */
    async isDone(role: (typeof NEEDED)[number]): Promise<boolean> {
      if (roles.has(role)) return true;
      const found = isShared ? await leases.get(role)?.() : undefined;
      return found !== undefined && clock.now().getTime() - found.recordedAt < TERMS_WAITED * found.ttl;
    },
  };
}

/** Last recorded lease, with its time in milliseconds. */
async function lastLease(executor: Pick<Executor, 'load'>, role: Role) {
  const { state, events } = await executor.load(lease, role);
  const last = events.at(-1);
  return state && last && { ...state, recordedAt: Date.parse(last.metadata.occurredAt) };
}
