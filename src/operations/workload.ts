/** Counts drafts, nonce accounts and submissions under way, for readiness and metrics. Reads hardly any documents. */
import type { ReadModel } from '../ports/read-model.ts';
import { nonceAccounts } from '../projections/nonce-accounts.ts';
import { transactions } from '../projections/transactions.ts';

/** States of drafts whose outcome is not final. */
const UNDER_WAY = ['submitted', 'confirmed'] as const;

/** They are found in the order of issue; the first one accepted is among the first. */
const LOOKED_AT_FOR_THE_OLDEST = 50;

export interface Workload {
  /** Living drafts by state. */
  drafts(): Promise<Readonly<Record<'open' | 'submitted' | 'confirmed', number>>>;
  nonceAccounts(): Promise<Readonly<Record<'known' | 'leased' | 'free', number>>>;
  submissions(): Promise<{
    readonly toSettle: number;
    /** ISO 8601, of submissions accepted here; undefined if there are none. */
    readonly oldestAcceptedAt: string | undefined;
  }>;
}

export function createWorkload(readModel: ReadModel): Workload {
  return {
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

    async submissions() {
      const counted = UNDER_WAY.map((status) => readModel.count(transactions, 'status', status));
      const found = UNDER_WAY.map((status) =>
        readModel.find(transactions, 'status', status, { limit: LOOKED_AT_FOR_THE_OLDEST }),
      );
      const [counts, documents] = await Promise.all([Promise.all(counted), Promise.all(found)]);
      const toSettle = counts.reduce((sum, count) => sum + count, 0);
      const [oldestAcceptedAt] = documents
        .flat()
        .flatMap(({ acceptedAt }) => acceptedAt ?? [])
        .sort();
      return { toSettle, oldestAcceptedAt };
    },
  };
}
