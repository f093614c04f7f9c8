/** Whether any process of the service distributes: this one, or on a shared log the one that holds the lease. */

import { lease } from '../kernel/leases/lease.ts';
import { atMostEvery } from '../kernel/runtime/at-most-every.ts';
import type { Clock } from '../kernel/runtime/clock.ts';
import type { Executor } from '../kernel/runtime/execute.ts';
import type { Role } from '../operations/config/roles.ts';

const ROLE: Role = 'distributor';
/** Milliseconds. */
const SEEN_FOR = 5_000;
/** Another process takes over within 1.25 of it; the clocks of machines differ. */
const TERMS_WAITED = 3;

export function createDistributorSeen(options: {
  readonly roles: ReadonlySet<Role>;
  /** Whether several processes may share the log. */
  readonly isShared: boolean;
  readonly executor: Pick<Executor, 'load'>;
  readonly clock: Clock;
}): () => Promise<boolean> {
  const { roles, isShared, executor, clock } = options;
  if (roles.has(ROLE)) return async () => true;
  if (!isShared) return async () => false;
  return atMostEvery(SEEN_FOR, clock, async () => {
    const { state, events } = await executor.load(lease, ROLE);
    const last = events.at(-1);
    if (state === undefined || last === undefined) return false;
    const age = clock.now().getTime() - Date.parse(last.metadata.occurredAt);
    return age < TERMS_WAITED * state.ttl;
  });
}
