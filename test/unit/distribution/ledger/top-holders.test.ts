import { describe, expect, test } from 'vitest';
import { createLedgers } from '../../../../src/distribution/ledger/open-ledgers.ts';
import { findTopHolders } from '../../../../src/distribution/ledger/top-holders.ts';
import { allotPlainly, blobsOf, makeSettlement } from '../../../support/ledger-files.ts';

// More than one read, many equal balances, and every seventh holder holds nothing.
const balances = Array.from({ length: 2_500 }, (_, index) =>
  index % 7 === 3 ? 0n : BigInt(100 + ((index * 37) % 400)),
);
const allotment = allotPlainly(balances, { asset: 'sol', model: 'proportional', divided: 10_000_000n });
const settlement = makeSettlement(allotment, {
  stretch: (index) => 1 + (index % 61),
  lands: (index) => index % 5 !== 0,
  refuses: () => undefined,
});
const files = { ledger: allotment.sha256, settlement: settlement.sha256 };

describe('the top holders', () => {
  test.each([
    ['balance', 'balance'],
    ['paid', 'paidAfter'],
  ] as const)('are the hundred with the largest %s, equal ones in the order of the ledger', async (order, amount) => {
    const ledger = await createLedgers(blobsOf(allotment, settlement)).open(files);
    const holders = (await ledger.payments(0, allotment.records.length)).filter(
      ({ kind }) => kind === 'holder',
    );
    const expected = holders
      .toSorted((one, other) => Number(other[amount] - one[amount]) || one.index - other.index)
      .slice(0, 100);
    expect((await findTopHolders(ledger))[order].map(({ index }) => index)).toEqual(
      expected.map(({ index }) => index),
    );
    expect(expected.at(-1)?.[amount]).toBeGreaterThan(0n);
  });

  test('leave out who holds nothing and was paid nothing', async () => {
    const few = allotPlainly([5n, 0n, 7n], { asset: 'sol', model: 'proportional', divided: 0n });
    const nothing = makeSettlement(few, { stretch: () => 1, lands: () => false, refuses: () => undefined });
    const ledger = await createLedgers(blobsOf(few, nothing)).open({
      ledger: few.sha256,
      settlement: nothing.sha256,
    });
    const { balance, paid } = await findTopHolders(ledger);
    expect([balance.map((each) => each.balance), paid.filter(({ paidAfter }) => paidAfter === 0n)]).toEqual([
      [7n, 5n],
      [],
    ]);
  });
});
