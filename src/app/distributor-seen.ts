/** Whether any process of the service distributes: this one, or on a shared log the one that holds the lease. */
import type { Role } from '../config/roles.ts';
import { atMostEvery } from '../runtime/at-most-every.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Executor } from '../runtime/execute.ts';
import { lease } from '../streams/lease.ts';

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
