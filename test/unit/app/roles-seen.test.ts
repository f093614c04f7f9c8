/** Who does what one process at a time may do: known from this process's roles, or from the leases on a shared log. */
import { expect, test } from 'vitest';
import { createRoleStatuses } from '../../../src/app/singletons.ts';
import type { Executor } from '../../../src/kernel/runtime/execute.ts';
import {
  type LeaseEvent,
  LeaseReleased,
  LeaseRenewed,
  LeaseTaken,
  lease,
} from '../../../src/kernel/runtime/lease.ts';
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

const RECORDED = '2026-05-04T10:00:00.000Z';

/** A log with these events of the distributor's lease, and how long after the last of them it is looked at. */
function look(events: readonly LeaseEvent[], millisecondsLater = 0, roles = OTHERS, isShared = true) {
  const recorded = recordedEvents(events.map((event) => happening('distributor', event)));
  const last = Date.parse(recorded.at(-1)?.metadata.occurredAt ?? RECORDED);
  const found = { state: events.reduce(lease.evolve, lease.initial), events: recorded };
  const nothing = { state: undefined, events: [] };
  // Only streams of leases are loaded.
  const load = async (_stream: unknown, role: string) => (role === 'distributor' ? found : nothing);
  const executor = { load } as unknown as Pick<Executor, 'load'>;
  const clock = { now: () => new Date(last + millisecondsLater) };
  const holder = { id: '7c9e6679-7425-40de-944b-e07fc1f90ae8', label: 'machine 8' };
  const own = () => [...roles].map((name) => ({ name, holder: isShared ? undefined : holder }));
  return createRoleStatuses({ roles, isShared, executor, clock, own });
}

test('a process with the role is seen, and on a log of its own no other can be', async () => {
  expect(await look([], 0, new Set<Role>(['distributor', 'api', 'settler'])).isDone('distributor')).toBe(
    true,
  );
  expect(await look([], 0, OTHERS, false).isDone('distributor')).toBe(false);
});

test('on a shared log somebody distributes whose lease is young enough', async () => {
  expect(await look([]).isDone('distributor')).toBe(false);
  expect(await look([LeaseTaken(tenure)], 20_000).isDone('distributor')).toBe(true);
  expect(await look([LeaseTaken(tenure), LeaseRenewed(tenure)], 44_000).isDone('distributor')).toBe(true);
  expect(await look([LeaseTaken(tenure), LeaseRenewed(tenure)], 46_000).isDone('distributor')).toBe(false);
});

test('of another role nobody is seen by its lease', async () => {
  expect(await look([LeaseTaken(tenure)], 0, new Set<Role>(['api'])).isDone('settler')).toBe(false);
  expect(await look([]).isDone('settler')).toBe(true);
});

const FREE = { state: 'free', holder: null, until: null };

test('on a log of its own a process holds what it does, under no lease', async () => {
  expect(await look([], 0, new Set<Role>(['api', 'settler', 'notary']), false).all()).toEqual([
    { role: 'settler', state: 'held', holder: 'machine 8', until: null },
    { role: 'distributor', ...FREE },
    { role: 'notary', state: 'held', holder: 'machine 8', until: null },
  ]);
});

test('on a shared log a lease says who holds a role, and until when', async () => {
  const until = new Date(Date.parse(RECORDED) + tenure.ttl).toISOString();
  const held = { role: 'distributor', holder: 'machine 7', until };
  const settler = { role: 'settler', ...FREE };
  expect(await look([LeaseTaken(tenure)], 15_000).all()).toEqual([settler, { ...held, state: 'held' }]);
  expect(await look([LeaseTaken(tenure)], 15_001).all()).toEqual([settler, { ...held, state: 'lapsed' }]);
  expect(await look([LeaseTaken(tenure), LeaseReleased(tenure)]).all()).toEqual([
    settler,
    { role: 'distributor', ...FREE },
  ]);
});

test('a role that this process stands by for is named before anybody has had it', async () => {
  expect(await look([], 0, new Set<Role>(['api', 'publisher'])).all()).toEqual([
    { role: 'settler', ...FREE },
    { role: 'distributor', ...FREE },
    { role: 'publisher', ...FREE },
  ]);
});
