/**
 * Metrics that are read from the service's state on each request. Each is declared next to the probe that it is read
 * from, so that one probe serves several metrics.
 */
import pTimeout from 'p-timeout';
import type { Counter } from 'prom-client';
import type { DistributionProgress } from '../../distribution/services.ts';
import type { FeePayer } from '../../drafts/fee-payer.ts';
import type { PublisherStatus } from '../../kernel/ports/publisher.ts';
import type { Clock } from '../../kernel/runtime/clock.ts';
import type { EventReader } from '../../kernel/runtime/event-reader.ts';
import type { LeaseStatus } from '../../kernel/runtime/lease.ts';
import type { LogFollower } from '../../kernel/runtime/log-follower.ts';
import type { Projections } from '../../kernel/runtime/projector.ts';
import type { RemoteWriter } from '../../kernel/runtime/remote-projector.ts';
import type { Repetition } from '../../kernel/runtime/repeat.ts';
import type { NotaryStatus } from '../../proof/transparency/notary-status.ts';
import type { DistributionWatch } from '../distribution-watch.ts';
import type { NodeWatch } from '../node-watch.ts';
import type { OpenRunsWatch } from '../open-runs-watch.ts';
import type { Workload } from '../workload.ts';
import type { Instruments } from './instruments.ts';

/** Milliseconds after which a probe is abandoned and its metrics are absent. */
const TIMEOUT = 2_000;

/** `labels` are the values in their declared order; a string if there is one label. */
type Sample = readonly [labels: string | readonly string[], value: number];

/** Undefined makes the metric absent. */
type Reading = number | readonly Sample[] | undefined;

interface StateMetric<Found> {
  readonly kind: 'counter' | 'gauge';
  readonly name: string;
  readonly labels: readonly string[];
  readonly help: string;
  readonly read: (found: Found, state: MeasuredState) => Reading;
}

/** Probe of the state, with the metrics that are read from it. */
export interface StatePart {
  readonly name: string;
  readonly metrics: readonly Omit<StateMetric<never>, 'read'>[];
  /** Returns one reading for each metric; an empty list if the process lacks the part. */
  read(state: MeasuredState): Promise<readonly Reading[]>;
}

/** `look` returns undefined if the process lacks the part, because its roles do not need it. */
export function part<Found>(
  name: string,
  look: (state: MeasuredState) => Found | undefined | Promise<Found | undefined>,
): (...metrics: readonly StateMetric<Found>[]) => StatePart {
  return (...metrics) => ({
    name,
    metrics,
    async read(state) {
      const found = await look(state);
      return found === undefined ? [] : metrics.map(({ read }) => read(found, state));
    },
  });
}

const declaring =
  (kind: StateMetric<unknown>['kind']) =>
  <Found>(
    name: string,
    help: string,
    read: StateMetric<Found>['read'],
    labels: readonly string[] = [],
  ): StateMetric<Found> => ({ kind, name, labels, help, read });

export const gauge = declaring('gauge');
/** Declares a counter whose value is stored elsewhere. */
export const total = declaring('counter');

/** Returns a function that reads all parts and writes their metrics; it never rejects. */
export function createStateMetrics(
  instruments: Instruments,
  parts: readonly StatePart[],
): (state: MeasuredState) => Promise<void> {
  const failures = instruments.counter(
    'levy_scrape_failures_total',
    ['part'],
    'Parts whose metrics could not be collected and were left out.',
  );
  const created = parts.map((declared) => ({
    declared,
    writers: declared.metrics.map(({ kind, name, labels, help }) =>
      kind === 'gauge'
        ? createWriter(labels, instruments.gauge<string>(name, labels, help), 'set')
        : createWriter(labels, instruments.counter<string>(name, labels, help), 'inc'),
    ),
  }));

  return async (state) => {
    const looks = created.map(async ({ declared, writers }) => {
      let readings: readonly Reading[] = [];
      try {
        readings = await pTimeout(declared.read(state), { milliseconds: TIMEOUT });
      } catch {
        failures.inc({ part: declared.name });
      }
      // A failed probe makes its metrics absent rather than stale.
      for (const [index, write] of writers.entries()) write(readings[index]);
    });
    await Promise.all(looks);
  };
}

function createWriter<Write extends string>(
  labels: readonly string[],
  metric: Pick<Counter<string>, 'reset' | 'remove'> & {
    readonly [write in Write]: (labels: Record<string, string>, value: number) => void;
  },
  write: Write,
): (reading: Reading) => void {
  return (reading) => {
    metric.reset();
    // `reset` sets a metric without labels to 0.
    metric.remove({});
    if (typeof reading === 'number') metric[write]({}, reading);
    if (typeof reading !== 'object') return;
    for (const [values, value] of reading) {
      const named = [values].flat();
      metric[write](Object.fromEntries(labels.map((label, index) => [label, named[index] ?? ''])), value);
    }
  };
}

/** Seconds since the timestamp; 0 if it is undefined. */
export function ageOf(timestamp: string | undefined, clock: Clock): number {
  return timestamp === undefined ? 0 : Math.max(0, clock.now().getTime() - Date.parse(timestamp)) / 1000;
}

/** Parts that a process lacks, because its roles do not need them, are absent. */
export interface MeasuredState {
  readonly clock: Clock;
  readonly following: Pick<LogFollower, 'end'>;
  readonly reader?: Pick<EventReader, 'undecodable' | 'quarantined'>;
  readonly projector?: Pick<Projections, 'status'> | undefined;
  /** Writer of shared read models. */
  readonly readModelWriter?: (() => Pick<RemoteWriter, 'silentFor'>) | undefined;
  readonly workload?: Workload;
  readonly nonceAccountsMax?: number | undefined;
  /** Leased roles of this process, if any. */
  readonly leases?: () => readonly Pick<LeaseStatus, 'name' | 'state' | 'error'>[];
  readonly repetitions: () => { readonly [name: string]: Pick<Repetition, 'status'> };
  readonly node?: NodeWatch;
  readonly feePayer?: Pick<FeePayer, 'balance' | 'floor'>;
  readonly distributor?: Pick<FeePayer, 'balance' | 'floor'>;
  readonly distributions?: DistributionWatch;
  readonly openRuns?: OpenRunsWatch;
  /** Undefined while this process does not distribute. */
  readonly distributionProgress?: () => DistributionProgress | undefined;
  /** Free bytes by folder. */
  readonly freeSpace?: () => Promise<readonly { readonly folder: string; readonly bytes: number }[]>;
  readonly eventFeed?: { status(): { readonly state: string; readonly subscribers: number } } | undefined;
  readonly publisher?: MeasuredPublisher | undefined;
  /** Undefined while another process signs the transparency log. */
  readonly notary?: (() => NotaryStatus | undefined) | undefined;
}

interface MeasuredPublisher {
  status(): Pick<PublisherStatus, 'stored'>;
  /** Undefined while another process publishes. */
  running():
    | {
        status(): { readonly state: string; readonly position: string | undefined };
        unpublishedSince(): Promise<string | undefined>;
      }
    | undefined;
}
