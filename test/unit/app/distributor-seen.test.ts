/** Whether anybody distributes: known from this process's roles, or from the lease on a shared log. */
import { expect, test } from 'vitest';
import { createDistributorSeen } from '../../../src/app/distributor-seen.ts';
import { type LeaseEvent, LeaseRenewed, LeaseTaken, lease } from '../../../src/kernel/leases/lease.ts';
import type { Executor } from '../../../src/kernel/runtime/execute.ts';
import type { Role } from '../../../src/operations/config/roles.ts';
import { happening, recordedEvents } from '../../support/recorded-events.ts';

const OTHERS = new Set<Role>(['api', 'settler']);
const tenure = {
  name: 'distributor',
  holder: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  label: 'machine 7',
  term: 1,
  ttl: 15_000,
};

/** A log with these events, and how long after the last of them it is looked at. */
function look(events: readonly LeaseEvent[], millisecondsLater = 0, roles = OTHERS, isShared = true) {
  const recorded = recordedEvents(events.map((event) => happening('distributor', event)));
  const last = Date.parse(recorded.at(-1)?.metadata.occurredAt ?? '2026-05-04T10:00:00.000Z');
  const loaded = { state: events.reduce(lease.evolve, lease.initial), events: recorded };
  // Only the lease's stream is loaded.
  const executor = { load: async () => loaded } as unknown as Pick<Executor, 'load'>;
  const clock = { now: () => new Date(last + millisecondsLater) };
  return createDistributorSeen({ roles, isShared, executor, clock })();
}

test('a process with the role is seen, and on a log of its own no other can be', async () => {
  expect(await look([], 0, new Set<Role>(['distributor', 'api', 'settler']))).toBe(true);
  expect(await look([], 0, OTHERS, false)).toBe(false);
});

test('on a shared log somebody distributes whose lease is young enough', async () => {
  expect(await look([])).toBe(false);
  expect(await look([LeaseTaken(tenure)], 20_000)).toBe(true);
  expect(await look([LeaseTaken(tenure), LeaseRenewed(tenure)], 44_000)).toBe(true);
  expect(await look([LeaseTaken(tenure), LeaseRenewed(tenure)], 46_000)).toBe(false);
});
