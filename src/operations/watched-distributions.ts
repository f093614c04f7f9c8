/**
 * Distributions as readiness sees them. The process that distributes is not ready while runs of all tokens are stuck that
 * should advance, and degraded while one run is stuck. Halted tokens are reported and do not degrade the service: other tokens are still paid.
 * So is what an operator has not set up (SOL, a chain that can, a role): the API answers all the same.
 */
import type { DistributionOverview, DistributionProgress } from '../distribution/services.ts';
import type { Clock } from '../kernel/runtime/clock.ts';
import { WAITS } from '../streams/distribution-wait.ts';
import type { ReadinessCheck } from '../views/readiness.ts';
import type { DistributionsSeen, DistributionWatch } from './distribution-watch.ts';
import type { OpenRun, OpenRunsWatch } from './open-runs-watch.ts';
import { type Watched, watched } from './readiness.ts';

export interface WatchedDistributionsOptions {
  readonly distributions: DistributionWatch;
  readonly openRuns: OpenRunsWatch;
  readonly clock: Clock;
  /** Undefined while this process does not distribute. */
  readonly progress: () => DistributionProgress | undefined;
  /** Whether this process has the role: the others cannot help it, and go on answering calls. */
  readonly hasRole: boolean;
  /** Whether any process distributes. */
  readonly isDistributed: () => Promise<boolean>;
  /** Milliseconds that a due run may wait. */
  readonly lag: number;
}

type Details = ReadinessCheck['details'];

/** How many stuck runs readiness names; the operators' list has all. */
const STUCK_SHOWN = 10;

export function watchedDistributions(options: WatchedDistributionsOptions): Watched {
  const { distributions, openRuns, clock, progress, hasRole, isDistributed, lag } = options;
  return {
    name: 'distributions',
    async look() {
      const [seen, runs, isDone] = await Promise.all([
        distributions.look(),
        openRuns.look(),
        isDistributed(),
      ]);
      const overview = progress()?.overview();
      const stuck = overview && whatIsStuck(overview, { now: clock.now(), lag });
      const reason = stuck ?? whyNothingBegins(seen, overview, isDone);
      const details: Details = {
        ...countsOf(seen),
        stuckRuns: runs.stuck.length,
        ...(overview && detailsOf(overview, clock.now())),
        ...(reason === undefined ? {} : { reason }),
      };
      return [
        { name: 'distributions', ok: !hasRole || stuck === undefined, details },
        ...runs.stuck.slice(0, STUCK_SHOWN).map((run) => stuckRun(run, hasRole)),
        ...seen.haltedTokens.map((token) => ({ name: 'halted distribution', ok: true, details: token })),
      ];
    },
  };
}

/** One token's run does not take the service from all the others: a trader can hold up his own token for a while. */
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
            // Anybody may ask: the particulars are for operators.
            reason: WAITS[waitingFor.code].sentence,
          }),
    },
  };
}

function countsOf({ totals, halted, allHaltedSince }: DistributionsSeen): Details {
  const all = Object.values(halted).reduce((sum, count) => sum + count, 0);
  return {
    openRuns: totals.runsOpened - totals.runs,
    halted: all,
    haltedByCheck: all - halted.OPERATOR,
    ...(allHaltedSince === undefined ? {} : { allHaltedSince }),
  };
}

function detailsOf({ oldestDue, unsettled, witness }: DistributionOverview, now: Date): Details {
  return {
    lagSeconds: lagOf(oldestDue, now) / 1_000,
    ...(oldestDue === undefined ? {} : { oldestDueTokenId: oldestDue.tokenId }),
    unsettledBatches: unsettled.batches,
    ...(unsettled.since === undefined ? {} : { unsettledSince: unsettled.since }),
    ...(witness === undefined ? {} : { witness: witness.state, witnessSince: witness.since }),
  };
}

/** In words for operators; undefined if everything advances. */
function whatIsStuck(
  { witness, oldestDue }: DistributionOverview,
  { now, lag }: { readonly now: Date; readonly lag: number },
): string | undefined {
  const detail = witness?.detail === undefined ? '' : `: ${witness.detail}`;
  if (witness?.state === 'disagrees') return `the witness disagrees with the chain node${detail}`;
  // The detail of a silence names hosts: readiness would hide the whole sentence, and the log has it.
  if (witness?.state === 'silent') return 'the witness does not answer';
  const late = lagOf(oldestDue, now);
  return late > lag ? `a due run has waited for ${Math.floor(late / 1_000)} s` : undefined;
}

/** In words for operators; undefined if runs are opened when they are due. */
function whyNothingBegins(
  { allHaltedSince }: DistributionsSeen,
  overview: DistributionOverview | undefined,
  isDistributed: boolean,
): string | undefined {
  if (!isDistributed) return 'no process distributes: none has the role `distributor` (ROLES)';
  if (allHaltedSince !== undefined) return 'an operator has halted all distributions';
  const cause = overview?.chainUnsuitable;
  return cause === undefined ? undefined : `the chain cannot carry distributions: ${cause}`;
}

/** Milliseconds since the oldest due run should have been opened; 0 if none waits. */
export function lagOf(oldestDue: DistributionOverview['oldestDue'], now: Date): number {
  return oldestDue === undefined ? 0 : Math.max(0, now.getTime() - Date.parse(oldestDue.dueAt));
}

/** `floor` in lamports. Under it no run is opened; open runs go on, so nothing is stuck. */
export function watchedDistributor(options: {
  readonly balance: () => Promise<bigint>;
  readonly address: string;
  readonly floor: bigint;
}): Watched {
  const { balance, address, floor } = options;
  return watched('distributor', async () => {
    const lamports = await balance();
    const reason = `it holds less than ${floor} lamports: no run is opened, and open runs go on`;
    return {
      ok: true,
      details: { address, lamports: lamports.toString(), ...(lamports < floor ? { reason } : {}) },
    };
  });
}
