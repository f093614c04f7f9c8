/** Keeps a role without a lease, because the store belongs to this process alone. Holds it until it is stopped. */
import type { HeldWork, KeeperOptions, LeaseKeeper, LeaseStatus } from './lease-keeper.ts';
import { LeaseLost } from './lease-term.ts';

/** Starts the work at once; rejects when that fails. */
export async function alwaysHeld<Work extends HeldWork>({
  name,
  holder,
  clock,
  start,
}: KeeperOptions<Work>): Promise<LeaseKeeper<Work>> {
  const now = () => new Date(clock.wall()).toISOString();
  const leaving = new AbortController();
  let isOver = false;
  let work: Work | undefined = await start({
    name,
    number: 1,
    isHeld: () => !isOver,
    signal: leaving.signal,
  });
  let status: LeaseStatus = { name, state: 'held', since: now(), holder, term: 1, error: undefined };
  let stopped: Promise<void> | undefined;

  async function end(): Promise<void> {
    status = { ...status, state: 'stopping', since: now() };
    leaving.abort(new LeaseLost(name));
    try {
      await work?.stop();
    } finally {
      work = undefined;
      isOver = true;
      status = { ...status, state: 'stopped', since: now(), holder: undefined, term: undefined };
    }
  }

  return {
    work: () => work,
    status: () => status,
    stop() {
      stopped ??= end();
      return stopped;
    },
  };
}
