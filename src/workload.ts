/** How much is under way: what readiness and metrics say of drafts, nonce accounts and submissions. Counts; reads hardly a document. */
import type { ReadModel } from './ports/read-model.ts';
import { nonceAccounts } from './projections/nonce-accounts.ts';
import { transactions } from './projections/transactions.ts';

export const NONCE_ACCOUNT_STATES = ['known', 'leased', 'free'] as const;
/** Of drafts that live. */
export const DRAFT_STATES = ['open', 'submitted', 'confirmed'] as const;

/** They are found in the order in which they were issued; the one accepted first is among the first. */
const LOOKED_AT_FOR_THE_OLDEST = 50;

export interface Workload {
  drafts(): Promise<Readonly<Record<(typeof DRAFT_STATES)[number], number>>>;
  nonceAccounts(): Promise<Readonly<Record<(typeof NONCE_ACCOUNT_STATES)[number], number>>>;
  submissions(): Promise<{
    readonly toSettle: number;
    /** ISO 8601; undefined when none is to be settled. */
    readonly oldestAcceptedAt: string | undefined;
  }>;
}

export function createWorkload(readModel: ReadModel): Workload {
  return {
    async drafts() {
      const [open, submitted, confirmed] = await Promise.all([
        readModel.count(transactions, 'state', 'open'),
        readModel.count(transactions, 'state', 'submitted'),
        readModel.count(transactions, 'state', 'confirmed'),
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
      const [toSettle, first] = await Promise.all([
        readModel.count(transactions, 'work', 'settle'),
        readModel.find(transactions, 'work', 'settle', { limit: LOOKED_AT_FOR_THE_OLDEST }),
      ]);
      const [oldestAcceptedAt] = first.flatMap(({ acceptedAt }) => acceptedAt ?? []).sort();
      return { toSettle, oldestAcceptedAt };
    },
  };
}
