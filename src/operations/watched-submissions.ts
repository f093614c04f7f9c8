/** Submissions as readiness sees them: none may be unsettled for longer than settling takes. */
import type { ForeignAdvances } from '../drafts/nonces/foreign-advances.ts';
import type { Clock } from '../kernel/runtime/clock.ts';
import { type Watched, watched } from './readiness.ts';
import type { Overdue, Workload } from './workload.ts';

export interface WatchedSubmissionsOptions {
  readonly workload: Workload;
  readonly clock: Clock;
  /** Whether this process may settle: the others cannot help it, and go on answering calls. */
  readonly settles: boolean;
  /** Whether any process settles. */
  readonly hasSettler: () => Promise<boolean>;
}

export function watchedSubmissions(options: WatchedSubmissionsOptions): Watched {
  const { workload, clock, settles, hasSettler } = options;
  return watched('submissions', async () => {
    const [{ toSettle, overdue }, { known, leased }, isSettled] = await Promise.all([
      workload.submissions(),
      workload.nonceAccounts(),
      hasSettler(),
    ]);
    return {
      ok: !settles || overdue === undefined,
      details: {
        toSettle,
        nonceAccounts: known,
        nonceAccountsLeased: leased,
        ...(overdue === undefined ? {} : shown(overdue, clock)),
        ...(isSettled ? {} : { reason: 'no process sends submissions: none has the role `settler` (ROLES)' }),
      },
    };
  });
}

function shown({ count, oldest }: Overdue, clock: Clock) {
  const age = clock.now().getTime() - Date.parse(oldest.acceptedAt);
  return {
    reason: 'submissions are overdue: the chain node shows no outcome of them',
    overdue: count,
    oldestTransactionId: oldest.transactionId,
    oldestAgeSeconds: Math.floor(age / 1_000),
  };
}

/** Partial: drafts that lose their nonces can be drafted again, and calls need not go elsewhere. */
export function watchedMasterSeed(foreignAdvances: Pick<ForeignAdvances, 'latest'>): Watched {
  return {
    name: 'master seed',
    async look() {
      const found = foreignAdvances.latest();
      if (found === undefined) return [{ name: 'master seed', ok: true, details: {} }];
      return [
        {
          name: 'master seed',
          ok: false,
          isPartial: true,
          details: {
            reason: 'another service uses the same master seed, or the log is an older copy',
            account: found.account,
            seenAt: found.seenAt,
          },
        },
      ];
    },
  };
}
