// What a ledger's header says of its records: the sum of each column by kind, and the payments by asset.
import { expect, test } from 'vitest';
import { createRecordSums, type LedgerRecord } from '../../../../src/distribution/ledger/ledger-record.ts';
import { encodeRecord } from '../../../support/encode-record.ts';
import { numberedOwner } from '../../../support/scanned.ts';

const NOTHING = { balance: 0n, basis: 0n, share: 0n, owedBefore: 0n, planned: 0n, paidBefore: 0n };
const record = (kind: LedgerRecord['kind'], amounts: Partial<LedgerRecord>): Uint8Array =>
  encodeRecord({ kind, reason: 'planned', owner: numberedOwner(1), ...NOTHING, ...amounts });

test('each column is added up by kind, with all 64 bits', () => {
  const sums = createRecordSums('sol');
  const large = 2n ** 63n + 1n;
  sums.add(
    Buffer.concat([record('holder', { balance: large, share: 3n }), record('debt', { owedBefore: 9n })]),
  );
  sums.add(record('holder', { balance: large, basis: 2n ** 32n, paidBefore: 4n }));
  const zeros = Object.fromEntries(Object.keys(NOTHING).map((name) => [name, '0']));
  expect(sums.sums()).toEqual({
    costs: zeros,
    developer: zeros,
    holder: {
      balance: (2n * large).toString(),
      basis: '4294967296',
      share: '3',
      owedBefore: '0',
      planned: '0',
      paidBefore: '4',
    },
    debt: { ...zeros, owedBefore: '9' },
  });
});

test.each([
  ['sol', 'token'],
  ['token', 'sol'],
] as const)('a payment is what something is planned for: in %s, and a debt in %s', (asset, other) => {
  const sums = createRecordSums(asset);
  sums.add(record('costs', { planned: 1n }));
  sums.add(record('developer', { planned: 2n ** 32n }));
  sums.add(record('holder', { planned: 2n ** 32n + 1n }));
  sums.add(record('holder', { balance: 5n, share: 5n, owedBefore: 5n, paidBefore: 5n }));
  sums.add(record('debt', { planned: 7n }));
  expect(sums.payments()).toEqual({
    [asset]: { count: 3, sum: (2n ** 33n + 2n).toString() },
    [other]: { count: 1, sum: '7' },
  });
});
