/** Projection with one document per durable-nonce account: free, or leased to a draft. */
import { defineProjection } from './levy-projection.ts';

export type NonceAccountDocument = {
  readonly account: string;
  readonly index: number;
  readonly value: string;
  /** Time when the account became free or leased. */
  readonly since: string;
  readonly lease: { readonly transactionId: string; readonly since: string } | null;
};

const byAccount = (event: { readonly data: { readonly account: string } }): string => event.data.account;

export const nonceAccounts = defineProjection<NonceAccountDocument>({
  name: 'nonce_accounts',
  version: 1,
  indexes: {
    state: (document) => ['known', document.lease === null ? 'free' : 'leased'],
    lease: (document) => (document.lease === null ? [] : [document.lease.transactionId]),
  },
  on: {
    NonceAccountOpened: {
      key: byAccount,
      apply: (_none, event) => ({ ...event.data, since: event.metadata.occurredAt, lease: null }),
    },
    NonceLeased: {
      key: byAccount,
      apply: (document, event) =>
        document && {
          ...document,
          since: event.metadata.occurredAt,
          lease: { transactionId: event.data.transactionId, since: event.metadata.occurredAt },
        },
    },
    NonceReturned: {
      key: byAccount,
      apply: (document, event) => document && { ...document, since: event.metadata.occurredAt, lease: null },
    },
    NonceRenewed: {
      key: byAccount,
      apply: (document, event) =>
        document && { ...document, value: event.data.value, since: event.metadata.occurredAt, lease: null },
    },
  },
});
