/** Counts drafts, nonce accounts and unsettled submissions, for readiness and metrics. Reads few documents. */

import type { ForeignAdvances } from '../drafts/nonces/foreign-advances.ts';
import type { Collection, ReadModel } from '../kernel/ports/read-model.ts';
import type { Clock } from '../kernel/runtime/clock.ts';
import { throttled } from '../kernel/runtime/throttle.ts';
import { nonceAccounts } from '../projections/nonce-accounts.ts';
import { transactions } from '../projections/transactions.ts';
import type { ReadinessCheck } from '../views/readiness-view.ts';
import { type Watched, watched } from './readiness.ts';

/** States of drafts whose outcome is not final. */
const UNDER_WAY = ['submitted', 'confirmed'] as const;

/**
 * Number of documents per state that are searched for the oldest submission. They are sorted by time of issue, and
 * the oldest submission is among the first of them.
 */
const MAX_READ_FOR_OLDEST = 50;
/** Lifetime in milliseconds of a cached count: readiness is public. */
const SUBMISSIONS_TTL = 1_000;

export type Workload = ReturnType<typeof createWorkload>;
export type Submissions = Awaited<ReturnType<Workload['submissions']>>;

/** `settleGrace`: milliseconds after its deadline until a submission is overdue. */
export function createWorkload(
  readModel: ReadModel,
  { clock, settleGrace }: { readonly clock: Clock; readonly settleGrace: number },
) {
  async function countSubmissions() {
    const [counts, documents, flooded, unknown] = await Promise.all([
      countEach(readModel, transactions, 'status', UNDER_WAY),
      Promise.all(
        UNDER_WAY.map((status) =>
          readModel.find(transactions, 'status', status, { limit: MAX_READ_FOR_OLDEST }),
        ),
      ),
      readModel.count(transactions, 'flooded', 'searched'),
      readModel.count(transactions, 'unknown', 'unknown'),
    ]);
    const accepted = documents
      .flat()
      .flatMap(({ transactionId, acceptedAt, deadline }) =>
        acceptedAt === null ? [] : [{ transactionId, acceptedAt, deadline: deadline ?? acceptedAt }],
      )
      .sort((one, other) => (one.acceptedAt < other.acceptedAt ? -1 : 1));
    const latestDeadline = new Date(clock.now().getTime() - settleGrace).toISOString();
    const overdue = accepted.filter(({ deadline }) => deadline < latestDeadline);
    const [oldest] = overdue;
    return {
      toSettle: counts.submitted + counts.confirmed,
      /** ISO 8601, of submissions accepted here; undefined without submissions. */
      oldestAcceptedAt: accepted[0]?.acceptedAt,
      /** Drafts whose outcome is searched in an account with a very long history. */
      flooded,
      /** Drafts whose outcome the chain does not show. */
      unknown,
      /** Submissions past their deadline and grace, counted up to a hundred. Undefined if there are none. */
      overdue: oldest && { count: overdue.length, oldest },
    };
  }

  const submissions = throttled(SUBMISSIONS_TTL, clock, countSubmissions);

  return {
    /** Result at most a second old. */
    submissions,

    /** Unfinished drafts by state. */
    drafts: () => countEach(readModel, transactions, 'status', ['open', ...UNDER_WAY]),

    nonceAccounts: () => countEach(readModel, nonceAccounts, 'state', ['known', 'leased', 'free']),
  };
}

/** Counts documents by their value in an index. */
export async function countEach<const Value extends string>(
  readModel: Pick<ReadModel, 'count'>,
  collection: Collection,
  index: string,
  values: readonly Value[],
): Promise<Readonly<Record<Value, number>>> {
  const counts = await Promise.all(values.map((value) => readModel.count(collection, index, value)));
  return Object.fromEntries(values.map((value, at) => [value, counts[at]])) as Record<Value, number>;
}

/** Reports submissions that are unsettled for longer than settling takes. */
export function watchedSubmissions({
  workload,
  clock,
  settles,
  hasSettler,
}: {
  readonly workload: Workload;
  readonly clock: Clock;
  /** True if this process may settle. Other processes cannot correct the problem, and continue to handle calls. */
  readonly settles: boolean;
  /** Resolves with true if any process settles. */
  readonly hasSettler: () => Promise<boolean>;
}): Watched {
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
        ...(overdue === undefined ? {} : overdueDetails(overdue, clock)),
        ...(isSettled
          ? {}
          : { reason: 'no process sends submissions; start one with the role `settler` (ROLES)' }),
      },
    };
  });
}

function overdueDetails({ count, oldest }: NonNullable<Submissions['overdue']>, clock: Clock) {
  const age = clock.now().getTime() - Date.parse(oldest.acceptedAt);
  return {
    reason: 'submissions are overdue: the chain node does not show their outcome',
    overdue: count,
    oldestTransactionId: oldest.transactionId,
    oldestAgeSeconds: Math.floor(age / 1_000),
  };
}

/** Reported as degraded, not as down: affected drafts can be issued again, and other processes would not help. */
export function watchedMasterSeed(foreignAdvances: Pick<ForeignAdvances, 'latest'>): Watched {
  return watched('master seed', (): Omit<ReadinessCheck, 'name'> => {
    const found = foreignAdvances.latest();
    if (found === undefined) return { ok: true, details: {} };
    const reason = 'another service uses the same master seed, or the log is an older copy';
    const { account, observedAt } = found;
    return { ok: false, isPartial: true, details: { reason, account, seenAt: observedAt } };
  });
}
