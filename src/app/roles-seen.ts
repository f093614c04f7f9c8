/** Which process does what one at a time may do: this one, or on a shared log the one that holds the lease. */

import type { LeaseStatus } from '../kernel/ports/lease.ts';
import type { Clock } from '../kernel/runtime/clock.ts';
import type { Executor } from '../kernel/runtime/execute.ts';
import { lease } from '../kernel/runtime/lease.ts';
import { throttled } from '../kernel/runtime/throttle.ts';
import type { Role } from '../operations/config/roles.ts';
import type { RoleSeen } from '../queries/get-overview.ts';

/** In the order in which they are shown. */
const HELD_BY_ONE = ['settler', 'distributor', 'projector', 'publisher', 'notary'] as const satisfies Role[];
/** By every service. */
const NEEDED = ['settler', 'distributor'] as const;
/** Milliseconds. */
const SEEN_FOR = 5_000;
/** Another process takes over within 1.25 of it; the clocks of machines differ. */
const TERMS_WAITED = 3;

export interface RolesSeen {
  /** Those of which nobody has heard are left out, unless every service needs them. Rejects when the store fails. */
  all(): Promise<readonly RoleSeen[]>;
  /** Whether any process does the work of the role. Rejects when the store fails. */
  isDone(role: (typeof NEEDED)[number]): Promise<boolean>;
}

export function createRolesSeen(options: {
  readonly roles: ReadonlySet<Role>;
  /** Whether several processes may share the log. */
  readonly isShared: boolean;
  readonly executor: Pick<Executor, 'load'>;
  readonly clock: Clock;
  /** What this process does or stands by for. */
  readonly own: () => readonly Pick<LeaseStatus, 'name' | 'holder'>[];
}): RolesSeen {
  const { roles, isShared, executor, clock, own } = options;
  const leases = new Map(
    HELD_BY_ONE.map((role) => [role, throttled(SEEN_FOR, clock, () => lastLease(executor, role))] as const),
  );

  async function seen(role: (typeof HELD_BY_ONE)[number]): Promise<readonly RoleSeen[]> {
    const mine = own().find(({ name }) => name === role);
    const free = { role, state: 'free', holder: null, until: null } as const;
    const found = isShared ? await leases.get(role)?.() : undefined;
    if (found === undefined) {
      // A log of its own is under no lease, and nobody else's.
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
    all: async () => (await Promise.all(HELD_BY_ONE.map(seen))).flat(),
    async isDone(role) {
      if (roles.has(role)) return true;
      const found = isShared ? await leases.get(role)?.() : undefined;
      return found !== undefined && clock.now().getTime() - found.recordedAt < TERMS_WAITED * found.ttl;
    },
  };
}

/** What was last recorded, and when, in milliseconds. */
async function lastLease(executor: Pick<Executor, 'load'>, role: Role) {
  const { state, events } = await executor.load(lease, role);
  const last = events.at(-1);
  return state && last && { ...state, recordedAt: Date.parse(last.metadata.occurredAt) };
}
