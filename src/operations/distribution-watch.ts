/** Distributions of all tokens, from the read models, for readiness and metrics. Reads few documents. */

import type { DistributionOverview, DistributionProgress } from '../distribution/services.ts';
import type { ReadModel } from '../kernel/ports/read-model.ts';
import type { Clock } from '../kernel/runtime/clock.ts';
import { throttled } from '../kernel/runtime/throttle.ts';
import { distributionSwitch } from '../projections/distribution-switch.ts';
import {
  ALL_DISTRIBUTIONS,
  distributionTotals,
  NO_DISTRIBUTIONS,
} from '../projections/distribution-totals.ts';
import { distributions } from '../projections/distributions.ts';
import { HALT_CODES, type HaltCode } from '../streams/distribution.ts';
import { DISTRIBUTION_SWITCH } from '../streams/distribution-switch.ts';
import { WAITS } from '../streams/distribution-wait.ts';
import type { ReadinessCheck } from '../views/readiness-view.ts';
import type { OpenRun, OpenRunsWatch } from './open-runs-watch.ts';
import type { Watched } from './readiness.ts';
import { countEach } from './workload.ts';

/** Lifetime in milliseconds of a cached check: readiness is public. */
const STATUS_TTL = 1_000;
/** Number of halted tokens in readiness; the operators' list contains all. */
const MAX_HALTED = 10;

export type DistributionWatch = ReturnType<typeof createDistributionWatch>;
export type DistributionStatuses = Awaited<ReturnType<DistributionWatch['look']>>;

export function createDistributionWatch(readModel: ReadModel, clock: Clock) {
  const found = (code: HaltCode) =>
    readModel.find(distributions, 'halted', code, { limit: MAX_HALTED, descending: true });

  async function check() {
    const [totals, halted, documents, allHalted] = await Promise.all([
      readModel.get(distributionTotals, ALL_DISTRIBUTIONS),
      countEach(readModel, distributions, 'halted', HALT_CODES),
      Promise.all([...HALT_CODES].sort(checksFirst).map(found)),
      readModel.get(distributionSwitch, DISTRIBUTION_SWITCH),
    ]);
    const haltedTokens: readonly {
      readonly tokenId: string;
      readonly code: HaltCode;
      readonly since: string;
    }[] = documents
      .flat()
      .flatMap(({ tokenId, halted }) =>
        halted === null ? [] : [{ tokenId, code: halted.code, since: halted.since }],
      );
    return {
      totals: totals ?? NO_DISTRIBUTIONS,
      /** Number of halted tokens by code; every code is present. */
      halted,
      /** First halted tokens, with failed checks before operators' halts. */
      haltedTokens: haltedTokens.slice(0, MAX_HALTED),
      /** Time at which all tokens were halted; ISO 8601. Undefined if they are not. */
      allHaltedSince: allHalted?.since,
    };
  }

  /** Result at most a second old. */
  return { look: throttled(STATUS_TTL, clock, check) };
}

function checksFirst(one: HaltCode, other: HaltCode): number {
  return Number(one === 'OPERATOR') - Number(other === 'OPERATOR');
}

interface WatchedDistributionsOptions {
  readonly distributions: DistributionWatch;
  readonly openRuns: OpenRunsWatch;
  readonly clock: Clock;
  /** Undefined while this process does not distribute. */
  readonly distributionProgress: () => DistributionProgress | undefined;
  /** True if this process has the role. Other processes cannot correct the problem, and continue to handle calls. */
  readonly hasRole: boolean;
  /** Resolves with true if any process distributes. */
  readonly isDistributed: () => Promise<boolean>;
  /** Milliseconds that a due run may wait. */
  readonly lag: number;
}

type Details = ReadinessCheck['details'];

/** Number of stuck runs in readiness; the operators' list contains all. */
const MAX_STUCK = 10;

/**
 * The distributing process is not ready while the runs of all tokens are stuck. The service is degraded while one run
 * is stuck, and while no run can be opened because of missing setup (SOL, a suitable chain, a role); calls are still
 * handled. Halts are an operator's decision or concern one token, and degrade nothing.
 */
export function watchedDistributions(options: WatchedDistributionsOptions): Watched {
  const { distributions, openRuns, clock, distributionProgress, hasRole, isDistributed, lag } = options;
  return {
    name: 'distributions',
    async check() {
      const [seen, runs, isDone] = await Promise.all([
        distributions.look(),
        openRuns.look(),
        isDistributed(),
      ]);
      const overview = distributionProgress()?.overview();
      const stuck = overview && whatIsStuck(overview, { now: clock.now(), lag });
      const missing = whatIsMissing(overview, isDone);
      const halted = seen.allHaltedSince && 'an operator has halted all distributions';
      const reason = stuck ?? missing ?? halted;
      const details: Details = {
        ...countDetails(seen),
        stuckRuns: runs.stuck.length,
        ...(overview && overviewDetails(overview, clock.now())),
        ...(reason === undefined ? {} : { reason }),
      };
      return [
        hasRole && stuck !== undefined
          ? { name: 'distributions', ok: false, details }
          : { name: 'distributions', ok: missing === undefined, isPartial: true, details },
        ...runs.stuck.slice(0, MAX_STUCK).map((run) => stuckRun(run, hasRole)),
        ...seen.haltedTokens.map((token) => ({ name: 'halted distribution', ok: true, details: token })),
      ];
    },
  };
}

/** One stuck run does not make the service unready: a trader can delay the run of his own token. */
function stuckRun(
  { tokenId, runId, step, since, movedAt, waitingFor }: OpenRun,
  hasRole: boolean,
): ReadinessCheck {
  return {
    name: 'stuck distribution',
    ok: !hasRole,
    isPartial: true,
    details: {
      tokenId,
      runId,
      step,
      since,
      lastRecordedAt: movedAt,
      ...(waitingFor === undefined
        ? {}
        : {
            code: waitingFor.code,
            waitingSince: waitingFor.since,
            // The details are for operators, because readiness is public.
            reason: WAITS[waitingFor.code].sentence,
          }),
    },
  };
}

function countDetails({ totals, halted, allHaltedSince }: DistributionStatuses): Details {
  const all = Object.values(halted).reduce((sum, count) => sum + count, 0);
  return {
    openRuns: totals.runsOpened - totals.runs,
    halted: all,
    haltedByCheck: all - halted.OPERATOR,
    ...(allHaltedSince === undefined ? {} : { allHaltedSince }),
  };
}

function overviewDetails({ oldestDue, unsettled, witness }: DistributionOverview, now: Date): Details {
  return {
    lagSeconds: lagOf(oldestDue, now) / 1_000,
    ...(oldestDue === undefined ? {} : { oldestDueTokenId: oldestDue.tokenId }),
    unsettledBatches: unsettled.batches,
    ...(unsettled.since === undefined ? {} : { unsettledSince: unsettled.since }),
    ...(witness === undefined ? {} : { witness: witness.state, witnessSince: witness.since }),
  };
}

/** Reason for operators; undefined if everything advances. */
function whatIsStuck(
  { witness, oldestDue }: DistributionOverview,
  { now, lag }: { readonly now: Date; readonly lag: number },
): string | undefined {
  const detail = witness?.detail === undefined ? '' : `: ${witness.detail}`;
  if (witness?.state === 'disagrees') return `the witness disagrees with the chain node${detail}`;
  // Omits the detail of a silent witness: it contains a host, so readiness would hide the whole sentence. The log
  // contains it.
  if (witness?.state === 'silent') return 'the witness does not respond';
  const late = lagOf(oldestDue, now);
  return late > lag ? `a due run has waited for ${Math.floor(late / 1_000)} s` : undefined;
}

/** Reason for operators why no run can be opened; undefined if the setup is complete. */
function whatIsMissing(
  overview: DistributionOverview | undefined,
  isDistributed: boolean,
): string | undefined {
  if (!isDistributed) return 'no process distributes; start one with the role `distributor` (ROLES)';
  const cause = overview?.chainUnsuitable;
  return cause === undefined ? undefined : `the chain cannot carry distributions: ${cause}`;
}

/** Milliseconds since the oldest due run should have been opened; 0 if no run waits. */
export function lagOf(oldestDue: DistributionOverview['oldestDue'], now: Date): number {
  return oldestDue === undefined ? 0 : Math.max(0, now.getTime() - Date.parse(oldestDue.dueAt));
}
