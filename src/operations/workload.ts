/** Counts drafts, nonce accounts and submissions under way, for readiness and metrics. Reads hardly any documents. */
import type { ReadModel } from '../kernel/ports/read-model.ts';
import type { Clock } from '../kernel/runtime/clock.ts';
import { throttled } from '../kernel/runtime/throttle.ts';
import { nonceAccounts } from '../projections/nonce-accounts.ts';
import { transactions } from '../projections/transactions.ts';

/** States of drafts whose outcome is not final. */
const UNDER_WAY = ['submitted', 'confirmed'] as const;

/** They are found in the order of issue; the first one accepted is among the first. */
const LOOKED_AT_FOR_THE_OLDEST = 50;
/** Milliseconds: readiness is public. */
const SUBMISSIONS_SEEN_FOR = 1_000;

export interface Workload {
  /** Living drafts by state. */
  drafts(): Promise<Readonly<Record<'open' | 'submitted' | 'confirmed', number>>>;
  nonceAccounts(): Promise<Readonly<Record<'known' | 'leased' | 'free', number>>>;
  /** At most a second old. */
  submissions(): Promise<Submissions>;
}

export interface Submissions {
  readonly toSettle: number;
  /** ISO 8601, of submissions accepted here; undefined if there are none. */
  readonly oldestAcceptedAt: string | undefined;
  /** Drafts whose outcome is searched in a flooded history. */
  readonly flooded: number;
  /** Drafts whose outcome nothing on the chain shows. */
  readonly unknown: number;
  /** Undefined if none is. */
  readonly overdue: Overdue | undefined;
}

/** Submissions that should have been settled by now. */
export interface Overdue {
  /** Counted up to a hundred. */
  readonly count: number;
  /** `acceptedAt`: ISO 8601. */
  readonly oldest: { readonly transactionId: string; readonly acceptedAt: string };
}

/** `settleGrace`: milliseconds after its deadline until a submission is overdue. */
export function createWorkload(
  readModel: ReadModel,
  { clock, settleGrace }: { readonly clock: Clock; readonly settleGrace: number },
): Workload {
  async function countSubmissions(): Promise<Submissions> {
    const counted = UNDER_WAY.map((status) => readModel.count(transactions, 'status', status));
    const found = UNDER_WAY.map((status) =>
      readModel.find(transactions, 'status', status, { limit: LOOKED_AT_FOR_THE_OLDEST }),
    );
    const [counts, documents, flooded, unknown] = await Promise.all([
      Promise.all(counted),
      Promise.all(found),
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
      toSettle: counts.reduce((sum, count) => sum + count, 0),
      oldestAcceptedAt: accepted[0]?.acceptedAt,
      flooded,
      unknown,
      overdue: oldest && { count: overdue.length, oldest },
    };
  }

  const submissions = throttled(SUBMISSIONS_SEEN_FOR, clock, countSubmissions);

  return {
    submissions,

    async drafts() {
      const [open, submitted, confirmed] = await Promise.all([
        readModel.count(transactions, 'status', 'open'),
        readModel.count(transactions, 'status', 'submitted'),
        readModel.count(transactions, 'status', 'confirmed'),
      ]);
      return { open, submitted, confirmed };
    },

    async nonceAccounts() {
      const [known, leased, free] = await Promise.all([
        readModel.count(nonceAccounts, 'state', 'known'),
        readModel.count(nonceAccounts, 'state', 'leased'),
        readModel.count(nonceAccounts, 'state', 'free'),
      ]);
      return { known, leased, free };
    },
  };
}
