/** Lists the service's nonce accounts for operators: free ones, and leased ones with the draft that holds each. */

import { Type } from '@sinclair/typebox';
import { queriesFor } from '../kernel/runtime/define-query.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { type NonceAccountDocument, nonceAccounts } from '../projections/nonce-accounts.ts';
import { transactions } from '../projections/transactions.ts';
import { Address, enumOf, orNull, Timestamp } from '../streams/value-types.ts';
import { secondsBetween } from './operator-transactions.ts';
import { CursorQuery, cursor, cutPage, Next } from './pages.ts';
import { cutoffOf, OlderThan } from './time-filters.ts';

const State = enumOf('NonceAccountState', ['free', 'leased']);
/** Cursor after a page: the last account, and the start of its current state. */
const Place = Type.String({
  maxLength: 80,
  pattern: '^[0-9TZ:.-]{24}_[1-9A-HJ-NP-Za-km-z]{32,44}$',
  examples: ['2026-11-21T12:00:00.000Z_AEgDhrDbhP9WFRT9vKcmcuVTpMmDoHVcj6iH6bGNE1j3'],
});

const NonceAccount = Type.Object({
  account: Address,
  /** Index in the derivation path of the account's key. */
  index: Type.Integer({ examples: [3] }),
  state: State,
  /** Last recorded value. */
  value: Address,
  since: Timestamp,
  ageSeconds: Type.Integer({ description: 'Seconds since it became free or was leased.', examples: [42] }),
  lease: orNull(
    Type.Object({
      transactionId: Uuid,
      /** Null if no draft with that id was recorded; such a claim expires by itself. */
      draft: orNull(
        Type.Object({
          purpose: Type.String({ examples: ['token-creation'] }),
          state: Type.String({ examples: ['open'] }),
          creator: Address,
          expiresAt: Timestamp,
        }),
      ),
    }),
  ),
});

export const listNonceAccounts = queriesFor<RuntimeServices>()({
  name: 'ListNonceAccounts',
  summary: 'List nonce accounts',
  description: 'Free accounts, and leased ones with the draft that holds each; longest in their state first.',
  route: { method: 'GET', url: '/operator/nonce-accounts', auth: 'operator', limit: 'operator' },
  input: {
    query: Type.Object(
      {
        state: Type.Optional(State),
        olderThan: Type.Optional(OlderThan),
        limit: CursorQuery.limit,
        after: Type.Optional(cursor(Place)),
      },
      { additionalProperties: false },
    ),
  },
  output: Type.Object({
    nonceAccounts: Type.Array(NonceAccount),
    next: orNull(Place, { description: Next.description }),
  }),
  rejections: ['STORE_UNAVAILABLE'],
  async answer({ query }, { services }) {
    const { state = 'known', olderThan, limit = 20, after = '' } = query;
    const now = services.clock.now();
    const cutoff = cutoffOf(olderThan, now);
    // Reads all accounts to sort them by age; there are at most NONCE_ACCOUNTS_MAX.
    const found = (await services.readModel.find(nonceAccounts, 'state', state))
      .filter((document) => document.since <= cutoff && placeOf(document) > after)
      .sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
    const { shown: page, next } = cutPage(found, limit, placeOf);
    return {
      nonceAccounts: await Promise.all(page.map((document) => shown(document, services, now))),
      next,
    };
  },
});

function placeOf({ since, account }: NonceAccountDocument): string {
  return `${since}_${account}`;
}

async function shown(document: NonceAccountDocument, { readModel }: RuntimeServices, now: Date) {
  const { account, index, value, since, lease } = document;
  const draft = lease && (await readModel.get(transactions, lease.transactionId));
  return {
    account,
    index,
    state: lease === null ? ('free' as const) : ('leased' as const),
    value,
    since,
    ageSeconds: secondsBetween(since, now),
    lease: lease && {
      transactionId: lease.transactionId,
      draft: draft
        ? {
            purpose: draft.issued.subject.kind,
            state: draft.status,
            creator: draft.issued.creator,
            expiresAt: draft.issued.expiresAt,
          }
        : null,
    },
  };
}
