/** Metrics that are read on request: projections' progress, work under way, the fee payer's balance. */
import pTimeout from 'p-timeout';
import type { Gauge, Registry } from 'prom-client';
import type { DistributionProgress } from '../../distribution/services.ts';
import type { FeePayer } from '../../drafts/fee-payer.ts';
import type { LeaseStatus } from '../../leases/lease-keeper.ts';
import type { EventStore } from '../../ports/event-store.ts';
import type { PublisherStatus } from '../../ports/publisher.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { EventReader } from '../../runtime/event-reader.ts';
import type { FollowedWriter } from '../../runtime/followed-projector.ts';
import type { Projections } from '../../runtime/projector.ts';
import type { Repetition } from '../../runtime/repeat.ts';
import { RUN_STEPS, type RunStep } from '../../streams/distribution-step.ts';
import { WAITS } from '../../streams/distribution-wait.ts';
import { NOTARY_TROUBLES, type NotaryStatus } from '../../transparency/notary-status.ts';
import type { DistributionWatch } from '../distribution-watch.ts';
import type { FreeSpace } from '../free-space.ts';
import { agesOf, type NodeWatch } from '../node-watch.ts';
import type { OpenRunsWatch } from '../open-runs-watch.ts';
import { lagOf } from '../watched-distributions.ts';
import type { Workload } from '../workload.ts';
import { metricDefinitions } from './definitions.ts';
import { createTotals } from './distribution-totals.ts';
import { createCounter, createGauge } from './instruments.ts';

/** A part that takes longer is omitted from this reading. Milliseconds. */
const PATIENCE = 2_000;

/** Parts that a process lacks, because its roles do not need them, are absent. */
export interface MeasuredState {
  readonly clock: Clock;
  readonly store: Pick<EventStore, 'head'>;
  readonly events?: Pick<EventReader, 'undecodable' | 'quarantined'>;
  readonly projector?: Pick<Projections, 'status'>;
  /** Who writes the read models that several processes share. */
  readonly readModelWriter?: () => Pick<FollowedWriter, 'term' | 'silentFor'>;
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

/** Returns a function that reads everything and writes it into the registry; it never rejects. */
export function createStateMetrics(registry: Registry): (state: MeasuredState) => Promise<void> {
  const gauges = {
    eventSubscribers: createGauge(registry, metricDefinitions.eventSubscribers),
    eventFeedStopped: createGauge(registry, metricDefinitions.eventFeedStopped),
    undecodableEvents: createGauge(registry, metricDefinitions.undecodableEvents),
    quarantinedEvents: createGauge(registry, metricDefinitions.quarantinedEvents),
    projectionBehind: createGauge(registry, metricDefinitions.projectionBehind),
    projectionLag: createGauge(registry, metricDefinitions.projectionLag),
    projectionLastEvent: createGauge(registry, metricDefinitions.projectionLastEvent),
    projectionStopped: createGauge(registry, metricDefinitions.projectionStopped),
    readModelWriterSilence: createGauge(registry, metricDefinitions.readModelWriterSilence),
    readModelWriterTerm: createGauge(registry, metricDefinitions.readModelWriterTerm),
    drafts: createGauge(registry, metricDefinitions.drafts),
    nonceAccounts: createGauge(registry, metricDefinitions.nonceAccounts),
    nonceAccountsMaximum: createGauge(registry, metricDefinitions.nonceAccountsMaximum),
    settlerQueue: createGauge(registry, metricDefinitions.settlerQueue),
    settlerOldest: createGauge(registry, metricDefinitions.settlerOldest),
    settlerOverdue: createGauge(registry, metricDefinitions.settlerOverdue),
    settlerFlooded: createGauge(registry, metricDefinitions.settlerFlooded),
    settlerUnknown: createGauge(registry, metricDefinitions.settlerUnknown),
    chainSlot: createGauge(registry, metricDefinitions.chainSlot),
    chainBlockAge: createGauge(registry, metricDefinitions.chainBlockAge),
    chainSlotUnchanged: createGauge(registry, metricDefinitions.chainSlotUnchanged),
    publisherWorking: createGauge(registry, metricDefinitions.publisherWorking),
    publisherLag: createGauge(registry, metricDefinitions.publisherLag),
    logEntries: createGauge(registry, metricDefinitions.logEntries),
    logLag: createGauge(registry, metricDefinitions.logLag),
    logPublished: createGauge(registry, metricDefinitions.logPublished),
    logStopped: createGauge(registry, metricDefinitions.logStopped),
    logWitnessSilent: createGauge(registry, metricDefinitions.logWitnessSilent),
    logWitnessDisagrees: createGauge(registry, metricDefinitions.logWitnessDisagrees),
    leaseHeld: createGauge(registry, metricDefinitions.leaseHeld),
    leaseFailing: createGauge(registry, metricDefinitions.leaseFailing),
    loopFailing: createGauge(registry, metricDefinitions.loopFailing),
    loopLastSuccess: createGauge(registry, metricDefinitions.loopLastSuccess),
    feePayerBalance: createGauge(registry, metricDefinitions.feePayerBalance),
    feePayerFloor: createGauge(registry, metricDefinitions.feePayerFloor),
    freeBytes: createGauge(registry, metricDefinitions.freeBytes),
    distributionsHalted: createGauge(registry, metricDefinitions.distributionsHalted),
    distributionsAllHalted: createGauge(registry, metricDefinitions.distributionsAllHalted),
    distributionOwed: createGauge(registry, metricDefinitions.distributionOwed),
    distributionLag: createGauge(registry, metricDefinitions.distributionLag),
    distributionOpenRuns: createGauge(registry, metricDefinitions.distributionOpenRuns),
    distributionStepAge: createGauge(registry, metricDefinitions.distributionStepAge),
    distributionStuck: createGauge(registry, metricDefinitions.distributionStuck),
    distributionWaiting: createGauge(registry, metricDefinitions.distributionWaiting),
    distributionUnsettled: createGauge(registry, metricDefinitions.distributionUnsettled),
    distributionOldestBatch: createGauge(registry, metricDefinitions.distributionOldestBatch),
    distributionChainSuitable: createGauge(registry, metricDefinitions.distributionChainSuitable),
    distributionWitness: createGauge(registry, metricDefinitions.distributionWitness),
    distributorBalance: createGauge(registry, metricDefinitions.distributorBalance),
    distributorFloor: createGauge(registry, metricDefinitions.distributorFloor),
  };
  const totals = createTotals(registry);
  const restarts = createCounter(registry, metricDefinitions.localChainRestarts);
  const published = createCounter(registry, metricDefinitions.publishedMessages);
  const connections = createCounter(registry, metricDefinitions.publisherConnections);
  const failures = createCounter(registry, metricDefinitions.scrapeFailures);

  const parts: { readonly [part: string]: (state: MeasuredState) => Promise<() => void> } = {
    async projections({ store, projector, clock }) {
      if (projector === undefined) return nothing;
      const head = await store.head();
      return () => {
        for (const { name: projection, state, position, lastEventAt } of projector.status()) {
          const isBehind = position < head;
          gauges.projectionBehind.set({ projection }, isBehind ? 1 : 0);
          gauges.projectionStopped.set({ projection }, state === 'failed' ? 1 : 0);
          if (lastEventAt !== undefined)
            gauges.projectionLastEvent.set({ projection }, Date.parse(lastEventAt) / 1000);
          // Behind before its first event: the delay is unknown, and the gauge above shows that it is behind.
          const since = isBehind && lastEventAt !== undefined ? ageOf(lastEventAt, clock) : 0;
          gauges.projectionLag.set({ projection }, since);
        }
      };
    },

    async 'shared read models'({ readModelWriter }) {
      if (readModelWriter === undefined) return nothing;
      return () => {
        const { term, silentFor } = readModelWriter();
        gauges.readModelWriterSilence.set(silentFor / 1_000);
        if (term !== undefined) gauges.readModelWriterTerm.set(term);
      };
    },

    async events({ events }) {
      if (events === undefined) return nothing;
      return () => {
        gauges.undecodableEvents.set(events.undecodable().length);
        gauges.quarantinedEvents.set(events.quarantined().length);
      };
    },

    async drafts({ workload }) {
      if (workload === undefined) return nothing;
      const counts = await workload.drafts();
      return () => {
        for (const [state, count] of Object.entries(counts)) gauges.drafts.set({ state }, count);
      };
    },

    async 'nonce accounts'({ workload }) {
      if (workload === undefined) return nothing;
      const counts = await workload.nonceAccounts();
      return () => {
        for (const [state, count] of Object.entries(counts)) gauges.nonceAccounts.set({ state }, count);
      };
    },

    async submissions({ workload, clock }) {
      if (workload === undefined) return nothing;
      const { toSettle, oldestAcceptedAt, overdue, flooded, unknown } = await workload.submissions();
      return () => {
        gauges.settlerQueue.set(toSettle);
        gauges.settlerOverdue.set(overdue?.count ?? 0);
        gauges.settlerFlooded.set(flooded);
        gauges.settlerUnknown.set(unknown);
        gauges.settlerOldest.set(oldestAcceptedAt === undefined ? 0 : ageOf(oldestAcceptedAt, clock));
      };
    },

    async 'chain node'({ node, clock }) {
      if (node === undefined) return nothing;
      const observation = await node.look();
      return () => {
        const { stood, blockAge, finalBlockAge } = agesOf(observation, clock.now().getTime());
        const { confirmed, finalized } = observation;
        gauges.chainSlot.set({ commitment: 'confirmed' }, Number(confirmed.slot));
        gauges.chainSlot.set({ commitment: 'finalized' }, Number(finalized.slot));
        gauges.chainBlockAge.set({ commitment: 'confirmed' }, blockAge / 1_000);
        gauges.chainBlockAge.set({ commitment: 'finalized' }, finalBlockAge / 1_000);
        gauges.chainSlotUnchanged.set(stood / 1_000);
      };
    },

    async 'fee payer'({ feePayer }) {
      if (feePayer === undefined) return nothing;
      const lamports = await feePayer.balance();
      return () => {
        gauges.feePayerBalance.set(Number(lamports));
      };
    },

    async 'free space'({ freeSpace }) {
      const found = await freeSpace?.();
      return () => {
        for (const { folder, bytes } of found ?? []) gauges.freeBytes.set({ folder }, bytes);
      };
    },

    async leases({ leases }) {
      if (leases === undefined) return nothing;
      return () => {
        for (const { name: role, state, error } of leases()) {
          gauges.leaseHeld.set({ role }, state === 'held' ? 1 : 0);
          gauges.leaseFailing.set({ role }, error === undefined ? 0 : 1);
        }
      };
    },

    async loops({ repetitions }) {
      return () => {
        for (const [loop, repetition] of Object.entries(repetitions())) {
          const { error, lastSuccess } = repetition.status();
          gauges.loopFailing.set({ loop }, error === undefined ? 0 : 1);
          if (lastSuccess !== undefined) gauges.loopLastSuccess.set({ loop }, Date.parse(lastSuccess) / 1000);
        }
      };
    },

    async distributions({ distributions }) {
      if (distributions === undefined) return nothing;
      const seen = await distributions.watch.look();
      return () => {
        gauges.distributorFloor.set(Number(distributions.floor));
        gauges.distributionsAllHalted.set(seen.allHaltedSince === undefined ? 0 : 1);
        for (const [code, count] of Object.entries(seen.halted))
          gauges.distributionsHalted.set({ code }, count);
        for (const [asset, owed] of Object.entries(seen.totals.owed))
          gauges.distributionOwed.set({ asset }, Number(owed));
        totals.write(seen.totals);
      };
    },

    async 'open runs'({ distributions, clock }) {
      const runs = await distributions?.openRuns.look();
      if (runs === undefined) return nothing;
      return () => {
        gauges.distributionStuck.set(runs.stuck.length);
        for (const step of Object.keys(RUN_STEPS) as RunStep[]) {
          const oldest = step === 'announce' ? undefined : runs.oldest.get(step);
          gauges.distributionOpenRuns.set({ step }, runs.counts.get(step) ?? 0);
          gauges.distributionStepAge.set({ step }, oldest === undefined ? 0 : ageOf(oldest.movedAt, clock));
        }
        for (const { code, since } of runs.waits)
          gauges.distributionWaiting.set({ code, kind: WAITS[code].kind }, ageOf(since, clock));
      };
    },

    async 'running distributions'({ distributions, clock }) {
      const overview = distributions?.progress()?.overview();
      if (overview === undefined) return nothing;
      const { oldestDue, unsettled, chainUnsuitable, witness } = overview;
      return () => {
        gauges.distributionLag.set(lagOf(oldestDue, clock.now()) / 1_000);
        gauges.distributionUnsettled.set(unsettled.batches);
        gauges.distributionOldestBatch.set(unsettled.since === undefined ? 0 : ageOf(unsettled.since, clock));
        gauges.distributionChainSuitable.set(chainUnsuitable === undefined ? 1 : 0);
        if (witness !== undefined) gauges.distributionWitness.set(witness.state === 'agrees' ? 1 : 0);
      };
    },

    async distributor({ distributions }) {
      const lamports = await distributions?.balance();
      return () => {
        if (lamports !== undefined) gauges.distributorBalance.set(Number(lamports));
      };
    },

    async 'event feed'({ eventFeed }) {
      if (eventFeed === undefined) return nothing;
      return () => {
        const { state, subscribers } = eventFeed.status();
        gauges.eventSubscribers.set(subscribers);
        gauges.eventFeedStopped.set(state === 'failed' || state === 'blocked' ? 1 : 0);
      };
    },

    async publisher({ publisher, clock }) {
      if (publisher === undefined) return nothing;
      const running = publisher.running();
      const isKnown = running?.status().position !== undefined;
      const since = await running?.unpublishedSince();
      return () => {
        const { stored, connections: made } = publisher.status();
        published.inc(stored);
        connections.inc(made);
        if (running === undefined) return;
        gauges.publisherWorking.set(running.status().state === 'publishing' ? 1 : 0);
        if (isKnown) gauges.publisherLag.set(since === undefined ? 0 : ageOf(since, clock));
      };
    },

    async notary({ notary, clock }) {
      const status = notary?.();
      if (status === undefined) return nothing;
      return () => {
        const { size, published, unpublishedSince, trouble, witnesses } = status;
        gauges.logEntries.set(size);
        gauges.logLag.set(unpublishedSince === undefined ? 0 : ageOf(unpublishedSince, clock));
        if (published?.at !== undefined) gauges.logPublished.set(Date.parse(published.at) / 1000);
        for (const kind of NOTARY_TROUBLES) gauges.logStopped.set({ kind }, trouble?.kind === kind ? 1 : 0);
        for (const { name: witness, error, disagrees } of witnesses) {
          gauges.logWitnessSilent.set({ witness }, error === undefined ? 0 : 1);
          gauges.logWitnessDisagrees.set({ witness }, disagrees ? 1 : 0);
        }
      };
    },

    async service({ chainRestarts, feePayerFloor, nonceAccountsMaximum }) {
      return () => {
        if (feePayerFloor !== undefined) gauges.feePayerFloor.set(Number(feePayerFloor));
        if (nonceAccountsMaximum !== undefined) gauges.nonceAccountsMaximum.set(nonceAccountsMaximum);
        const count = chainRestarts?.();
        if (count !== undefined) restarts.inc(count);
      };
    },
  };

  return async (state) => {
    const found = await Promise.all(
      Object.entries(parts).map(async ([part, look]) => {
        try {
          return await pTimeout(look(state), { milliseconds: PATIENCE });
        } catch {
          failures.inc({ part });
          return () => undefined;
        }
      }),
    );
    // A failed reading leaves its metrics absent rather than stale.
    for (const gauge of Object.values(gauges)) empty(gauge);
    for (const counter of [restarts, published, connections]) counter.remove({});
    totals.clear();
    for (const write of found) write();
  };
}

const nothing = () => undefined;

/** `reset` would set 0 where there are no labels. */
function empty(gauge: Gauge): void {
  gauge.reset();
  gauge.remove({});
}

function ageOf(timestamp: string, clock: Clock): number {
  return Math.max(0, clock.now().getTime() - Date.parse(timestamp)) / 1000;
}
