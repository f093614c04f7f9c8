/** Runs the work that one process at a time may do: under a lease on a shared log, without one on a private log. */
import { hostname } from 'node:os';
import { type EventStore, START } from '../kernel/ports/event-store.ts';
import type { HeldWork, LeaseKeeper, LeaseStatus, LeaseTerm } from '../kernel/ports/lease.ts';
import type { Logger } from '../kernel/ports/logger.ts';
import type { EventCodec } from '../kernel/runtime/event-codec.ts';
import type { EventReader } from '../kernel/runtime/event-reader.ts';
import { randomId } from '../kernel/runtime/ids.ts';
import { alwaysHeld, holdLease, systemLeaseClock } from '../kernel/runtime/lease.ts';
import type { Configuration } from '../operations/config/configuration.ts';
import type { Watched } from '../operations/readiness.ts';
import type { ReadinessCheck } from '../views/readiness.ts';

export interface Singleton<Work extends HeldWork> {
  /** The work running in this process now, if any. */
  work(): Work | undefined;
  /** Whether this process may do the work at this moment. */
  isHeld(): boolean;
  stop(): Promise<void>;
}

export interface Singletons {
  /**
   * Does the work while this process holds the role, from now until stopped. If no other process can do it, the work
   * has begun when this resolves, and a failed start rejects.
   */
  run<Work extends HeldWork>(
    name: string,
    start: (term: LeaseTerm) => Promise<Work>,
  ): Promise<Singleton<Work>>;
  status(): readonly LeaseStatus[];
  /** Stops all of them at once: each may wait for its work under way. */
  stop(): Promise<void>;
  readonly watched: Watched;
}

export function createSingletons(options: {
  readonly configuration: Pick<Configuration, 'leaseTtlMs'>;
  readonly store: EventStore;
  readonly codec: EventCodec;
  readonly reader: EventReader;
  /** Whether several processes may share the log. */
  readonly isShared: boolean;
  readonly logger: Logger;
}): Singletons {
  const { configuration, store, codec, reader, isShared, logger } = options;
  const holder = { id: randomId(), label: `${hostname()} ${process.pid}` };
  const clock = systemLeaseClock;
  const keepers: LeaseKeeper<HeldWork>[] = [];
  const status = () => keepers.map((keeper) => keeper.status());
  /** The log's first event names its owner, and a process without seed or chain cannot write it. */
  const hasBegun = async () => (await store.head()) !== START;

  return {
    async run(name, start) {
      let term: LeaseTerm | undefined;
      const begin = (begun: LeaseTerm) => {
        term = begun;
        return start(begun);
      };
      const common = { name, holder, clock, start: begin, logger: logger.child({ part: `lease ${name}` }) };
      const keeper = isShared
        ? holdLease({
            ...common,
            store,
            codec,
            reader,
            ttl: configuration.leaseTtlMs,
            mayBegin: hasBegun,
          })
        : await alwaysHeld(common);
      keepers.push(keeper);
      return {
        work: keeper.work,
        isHeld: () => term?.isHeld() ?? false,
        stop: keeper.stop,
      };
    },
    status,
    async stop() {
      await Promise.all(keepers.map((keeper) => keeper.stop()));
    },
    watched: {
      name: 'leases',
      look: async () => status().map((one) => checkOf(one, holder.id)),
    },
  };
}

/** Standing by is fine. Readiness is public, so it does not name hosts. */
function checkOf({ name, state, since, holder, term, error }: LeaseStatus, own: string): ReadinessCheck {
  const heldBy = holder === undefined ? null : holder.id === own ? 'this process' : 'another process';
  const details = { state, since, heldBy, term: term ?? null, error: error ?? null };
  return { name: `role ${name}`, ok: error === undefined, details };
}
