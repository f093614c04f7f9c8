// The read model of nonce accounts: which are free, and which draft holds the others since when.
import { describe, expect, test } from 'vitest';
import { type NonceAccountDocument, nonceAccounts } from '../../../src/projections/nonce-accounts.ts';
import {
  NonceAccountOpened,
  NonceLeased,
  NonceRenewed,
  NonceReturned,
} from '../../../src/streams/nonce-account.ts';
import { addresses, ids } from '../../support/domain-examples.ts';
import { projectionSpec } from '../../support/projection-spec.ts';
import { happening } from '../../support/recorded-events.ts';

const { transactionId } = ids;
const account = addresses.nonceAccount;
const value = addresses.nonceValue;
const since = '2026-05-04T10:00:07.000Z';

const openedAt = '2026-05-04T09:00:00.000Z';
const opened = happening(account, NonceAccountOpened({ account, index: 3, value }), openedAt);
const leased = happening(account, NonceLeased({ account, transactionId, value }), since);
const free: NonceAccountDocument = { account, index: 3, value, since: openedAt, lease: null };
const held: NonceAccountDocument = { ...free, since, lease: { transactionId, since } };

describe('nonce_accounts', () => {
  const spec = projectionSpec(nonceAccounts);

  test('shows since when a draft holds it', () => {
    spec.given(opened, leased).gives({ [account]: held });
  });

  test('shows it free again, under the old value or a new one', () => {
    const freeSince = '2026-05-04T10:05:00.000Z';
    const returned = happening(account, NonceReturned({ account, transactionId }), freeSince);
    spec.given(opened, leased, returned).gives({ [account]: { ...free, since: freeSince } });
    const next = addresses.nextNonceValue;
    const renewed = happening(account, NonceRenewed({ account, transactionId, value: next }), freeSince);
    spec.given(opened, leased, renewed).gives({ [account]: { ...free, value: next, since: freeSince } });
  });

  test('finds accounts by whether they are free, and by the draft that holds them', () => {
    expect(nonceAccounts.indexes?.state?.(free)).toEqual(['known', 'free']);
    expect(nonceAccounts.indexes?.state?.(held)).toEqual(['known', 'leased']);
    expect(nonceAccounts.indexes?.lease?.(free)).toEqual([]);
    expect(nonceAccounts.indexes?.lease?.(held)).toEqual([transactionId]);
  });
});
