// Whether a recorded sale into a pool was bound as is promised, found out by arithmetic of the audit's own.
import { describe, expect, test } from 'vitest';
import { decideSale } from '../../../../src/distribution/selling/decide-sale.ts';
import { CHECKS } from '../../../../src/proof/audit/checks.ts';
import { auditSale } from '../../../../src/proof/audit/promises/audit-sale.ts';
import { createNotebook } from '../../../../src/proof/audit/report.ts';
import { type DistributionState, distribution } from '../../../../src/streams/distribution.ts';
import type { SaleBasis } from '../../../../src/streams/sale-basis.ts';
import { reportOf } from '../../../support/audit-report.ts';
import { runOpened, saleBasis, saleRecorded, split } from '../../../support/distribution-examples.ts';

const pool = {
  tradingFee: 10_000_000n,
  liquidity: 1_000_000_000n << 96n,
  sqrtMinPrice: 1n << 57n,
  sqrtPrice: 1n << 60n,
};
const reference = { sqrtPrice: (1n << 60n) + 12_345n, samples: 118, from: 0, to: 29 * 60_000 };

/** The reference as it is recorded. */
const told = (change: Partial<NonNullable<SaleBasis['reference']>> = {}) => ({
  sqrtPrice: `${reference.sqrtPrice}`,
  samples: reference.samples,
  from: '2026-05-04T10:30:00.000Z',
  to: '2026-05-04T10:59:00.000Z',
  ...change,
});

/** As the engine decides and records it. */
function decided(moved = 0n): {
  readonly basis: SaleBasis;
  readonly amount: bigint;
  readonly minimum: bigint;
} {
  const limits = { maxImpactBasisPoints: 500, slippageBasisPoints: 100, maxDiscountBasisPoints: 500 };
  const tax = { epoch: 0n, basisPoints: 100, maximumFee: 2n ** 64n - 1n };
  const sale = decideSale(pool, { tax, wanted: 2n ** 62n, bounds: { moved, reference } }, limits);
  if ('reason' in sale) throw new Error(sale.reason);
  return {
    amount: sale.amount,
    minimum: sale.minimum,
    basis: {
      ...saleBasis,
      pool: {
        sqrtPrice: `${pool.sqrtPrice}`,
        liquidity: `${pool.liquidity}`,
        tradingFee: `${pool.tradingFee}`,
      },
      reference: told(),
      expected: `${sale.expected}`,
      received: `${sale.received}`,
      floor: `${sale.floor}`,
      impact: Number(sale.impact),
      moved: Number(moved),
      budget: Number(sale.budget),
    },
  };
}

function findingsOf(
  change: Partial<SaleBasis> | undefined,
  {
    minimum = decided().minimum,
    impacts,
  }: {
    readonly minimum?: bigint;
    readonly impacts?: DistributionState['impacts'];
  } = {},
): readonly string[] {
  const { basis, amount } = decided();
  const notebook = createNotebook();
  const actions = split.actions.map((action) =>
    action.kind === 'sell' ? { ...action, amount: `${amount}`, minimum: `${minimum}` } : action,
  );
  const { sale: _sale, ...data } = saleRecorded.data;
  auditSale(
    {
      data: {
        ...data,
        links: [{ ...split, actions }],
        ...(change === undefined ? {} : { sale: { ...basis, ...change } }),
      },
    },
    { ...distribution.evolve(distribution.initial, runOpened), ...(impacts && { impacts }) },
    notebook.check(CHECKS.prices),
    {},
  );
  return reportOf(notebook).findings.map(({ what }) => what);
}

describe('a sale', () => {
  test('as the engine decides it is right, alone and with others of its half hour', () => {
    expect(findingsOf({})).toEqual([]);
  });

  test.each<[string, Partial<SaleBasis> | undefined, string]>([
    ['without what it was judged by', undefined, 'a sale into a pool has a reference'],
    ['without a reference', { reference: null }, 'a sale into a pool has a reference'],
    ['by few samples', { reference: told({ samples: 59 }) }, 'the reference of a sale has enough samples'],
    [
      'by samples of a short time',
      { reference: told({ from: '2026-05-04T10:50:00.000Z' }) },
      'the reference of a sale covers enough time',
    ],
    ['with a lower floor', { floor: '1' }, 'the floor of a sale follows from its reference'],
    [
      'of which more arrives',
      { received: `${2n ** 63n}`, floor: '0' },
      'the pool receives at most the sold amount',
    ],
    ['that counts others that were not', { moved: 7 }, 'a sale counts the others of its half hour'],
    ['beyond its budget', { budget: 100 }, 'the sales of half an hour stay within their budget'],
  ])('%s is found', (_which, change, what) => {
    expect(findingsOf(change)).toContain(what);
  });

  test('whose minimum is under its floor is found', () => {
    expect(findingsOf({}, { minimum: BigInt(decided().basis.floor) - 1n })).toEqual([
      'the minimum of a sale is not under its floor',
    ]);
  });

  test('that leaves out what an earlier run sold is found', () => {
    const earlier = { number: 0, till: split.till, at: '2026-05-04T10:45:00.000Z', impact: 9_000 };
    expect(findingsOf({}, { impacts: [earlier] })).toEqual([
      'a sale counts the others of its half hour',
      'the sales of half an hour stay within their budget',
    ]);
  });

  const sold = (at: string, impact: number, number = 0) => ({ number, till: split.till, at, impact });

  test('counts neither what its own link sold before nor what was sold 33 minutes ago', () => {
    const impacts = [
      sold('2026-05-04T11:00:00.000Z', 9_000, split.number),
      sold('2026-05-04T10:27:30.000Z', 9_000),
    ];
    expect(findingsOf({}, { impacts })).toEqual([]);
  });

  test('counts of the sales that were recorded for one link the largest', () => {
    const impacts = [sold('2026-05-04T10:27:30.001Z', 3), sold('2026-05-04T10:45:00.000Z', 7)];
    expect(findingsOf(decided(7n).basis, { impacts })).toEqual([]);
    expect(findingsOf(decided(7n).basis, { impacts: impacts.toReversed() })).toEqual([]);
    expect(findingsOf(decided(3n).basis, { impacts })).toContain('a sale counts the others of its half hour');
  });

  test('into an empty pool has no floor', () => {
    const { basis } = decided();
    const empty = {
      pool: { ...basis.pool, liquidity: '0' },
      reference: basis.reference && { ...basis.reference, sqrtPrice: '0' },
    };
    expect(findingsOf({ ...empty, floor: '0' })).toEqual([]);
    expect(findingsOf({ ...empty, floor: '1' })).toEqual(['the floor of a sale follows from its reference']);
  });
});
