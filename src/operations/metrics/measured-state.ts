/** What the state metrics are read from. */
import type { DistributionProgress } from '../../distribution/services.ts';
import type { FeePayer } from '../../drafts/fee-payer.ts';
import type { LeaseStatus } from '../../kernel/ports/lease.ts';
import type { PublisherStatus } from '../../kernel/ports/publisher.ts';
import type { Clock } from '../../kernel/runtime/clock.ts';
import type { EventReader } from '../../kernel/runtime/event-reader.ts';
import type { LogFollower } from '../../kernel/runtime/log-follower.ts';
import type { Projections } from '../../kernel/runtime/projector.ts';
import type { RemoteWriter } from '../../kernel/runtime/remote-projector.ts';
import type { Repetition } from '../../kernel/runtime/repeat.ts';
import type { NotaryStatus } from '../../proof/transparency/notary-status.ts';
import type { DistributionWatch } from '../distribution-watch.ts';
import type { FreeSpace } from '../free-space.ts';
import type { NodeWatch } from '../node-watch.ts';
import type { OpenRunsWatch } from '../open-runs-watch.ts';
import type { Workload } from '../workload.ts';

/** Parts that a process lacks, because its roles do not need them, are absent. */
export interface MeasuredState {
  readonly clock: Clock;
  readonly following: Pick<LogFollower, 'end'>;
  readonly events?: Pick<EventReader, 'undecodable' | 'quarantined'>;
  readonly projector?: Pick<Projections, 'status'>;
  /** The writer of shared read models. */
  readonly readModelWriter?: () => Pick<RemoteWriter, 'term' | 'silentFor'>;
  readonly workload?: Workload;
  readonly nonceAccountsMaximum?: number;
  /** The roles under a lease, if this process has any. */
  readonly leases?: () => readonly Pick<LeaseStatus, 'name' | 'state' | 'error'>[];
  readonly repetitions: () => { readonly [name: string]: Pick<Repetition, 'status'> };
  readonly node?: NodeWatch;
  readonly feePayer?: Pick<FeePayer, 'balance'>;
  readonly feePayerFloor?: bigint;
  /** How often the chain's process was restarted, if it is ours. */
  readonly chainRestarts?: () => number | undefined;
  readonly distributions?: MeasuredDistributions;
  readonly freeSpace?: () => Promise<readonly FreeSpace[]>;
  readonly eventFeed?: { status(): { readonly state: string; readonly subscribers: number } };
  readonly publisher?: MeasuredPublisher;
  /** Undefined while another process keeps the transparency log. */
  readonly notary?: () => NotaryStatus | undefined;
}

export interface MeasuredDistributions {
  readonly watch: DistributionWatch;
  readonly openRuns: OpenRunsWatch;
  /** Undefined while this process does not distribute. */
  readonly progress: () => DistributionProgress | undefined;
  /** Lamports of the distributor. */
  readonly balance: () => Promise<bigint>;
  readonly floor: bigint;
}

export interface MeasuredPublisher {
  status(): Pick<PublisherStatus, 'connections' | 'stored'>;
  /** Undefined while another process publishes. */
  running():
    | {
        status(): { readonly state: string; readonly position: string | undefined };
        unpublishedSince(): Promise<string | undefined>;
      }
    | undefined;
}
