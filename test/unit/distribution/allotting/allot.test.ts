import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AllotmentTerms,
  type Allotted,
  allot,
  type Owners,
  STANDINGS,
  type Standing,
} from '../../../../src/distribution/allotting/allot.ts';
import { createAmountColumn } from '../../../../src/distribution/amounts/amount-column.ts';
import { REASONS } from '../../../../src/distribution/ledger/record.ts';

interface Owner {
  readonly balance: bigint;
  readonly owed: bigint;
  readonly standing: Standing;
  readonly hasAccount: boolean;
}

const holder = (balance: bigint, rest: Partial<Owner> = {}): Owner => ({
  balance,
  owed: 0n,
  standing: 'takes-part',
  hasAccount: true,
  ...rest,
});

function ownersOf(given: readonly Owner[]): Owners {
  const column = (amountOf: (owner: Owner) => bigint) => {
    const made = createAmountColumn(given.length);
    for (const [index, owner] of given.entries()) made.set(index, amountOf(owner));
    return made;
  };
  return {
    count: given.length,
    bases: column(({ balance }) => balance),
    owed: column(({ owed }) => owed),
    standings: Uint8Array.from(given, ({ standing }) => STANDINGS.indexOf(standing)),
    hasAccount: Uint8Array.from(given, ({ hasAccount }) => (hasAccount ? 1 : 0)),
  };
}

const TERMS: AllotmentTerms = {
  amount: 1_000_000n,
  model: 'proportional',
  minimumHolding: 0n,
  leastShare: 1_000n,
  minimumPayout: 10_000n,
  asset: { kind: 'sol', rentFloor: 890_880n },
};

function driven(steps: Generator<void, Allotted>): Allotted {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

function allotted(given: readonly Owner[], terms: Partial<AllotmentTerms> = {}) {
  const result = driven(allot(ownersOf(given), { ...TERMS, ...terms }));
  const rows = given.map((_, index) => ({
    share: result.shares.get(index),
    planned: result.planned.get(index),
    reason: REASONS[result.reasons[index] ?? -1],
  }));
  return { ...result, rows };
}

describe('an allotment', () => {
  test('given two holders, then each is paid in proportion to its balance', () => {
    const { rows, dust } = allotted([holder(300n), holder(100n)]);
    expect(rows).toEqual([
      { share: 750_000n, planned: 750_000n, reason: 'planned' },
      { share: 250_000n, planned: 250_000n, reason: 'planned' },
    ]);
    expect(dust).toBe(0n);
  });

  test('given the square-root model, then a holder of 4 times as much gets twice as much', () => {
    const { rows } = allotted([holder(400n), holder(100n)], { model: 'square-root', amount: 300_000n });
    expect(rows.map(({ planned }) => planned)).toEqual([200_000n, 100_000n]);
  });

  test.each([
    ['who hold too little', holder(9n), 'below-minimum-holding', { minimumHolding: 10n }],
    [
      'whom the creator keeps out',
      holder(100n, { standing: 'excluded-by-creator' }),
      'excluded-by-creator',
      {},
    ],
    ['who can spend nothing', holder(100n, { standing: 'excluded' }), 'excluded', {}],
    ['who are the pool', holder(100n, { standing: 'pool' }), 'pool', {}],
    ['whose share is too small', holder(1n), 'below-least-share', { leastShare: 20_000n }],
  ] as const)('gives no share to owners %s, and theirs goes to the others', (_who, owner, reason, terms) => {
    const { rows, dust } = allotted([owner, holder(100n)], { ...terms, amount: 1_000_000n });
    expect(rows[0]).toEqual({ share: 0n, planned: 0n, reason });
    expect((rows[1]?.share ?? 0n) + dust).toBe(1_000_000n);
  });

  test.each([
    ['it is worth less than a payment', holder(1n), 'below-minimum-payout', { amount: 9_000n }],
    ['a program owns the account', holder(1n, { standing: 'program-owned' }), 'program-owned', {}],
    [
      'there is no account for the token',
      holder(1n, { hasAccount: false }),
      'no-account',
      { asset: { kind: 'token' } },
    ],
    [
      'the account would lie under the rent',
      holder(1n, { hasAccount: false }),
      'under-rent-floor',
      { amount: 500_000n },
    ],
  ] as const)('carries a share where %s', (_why, owner, reason, terms) => {
    const amount = 'amount' in terms ? terms.amount : TERMS.amount;
    expect(allotted([owner], terms).rows).toEqual([{ share: amount, planned: 0n, reason }]);
  });

  test('pays what was owed together with the share, as soon as both are enough', () => {
    const { rows } = allotted([holder(1n, { owed: 6_000n })], { amount: 4_000n });
    expect(rows).toEqual([{ share: 4_000n, planned: 10_000n, reason: 'planned' }]);
  });

  test('makes an account by a payment that is at least its rent', () => {
    const { rows } = allotted([holder(1n, { hasAccount: false, owed: 90_880n })], { amount: 800_000n });
    expect(rows).toEqual([{ share: 800_000n, planned: 890_880n, reason: 'planned' }]);
  });

  test.each([
    ['sold everything', holder(0n, { owed: 50_000n })],
    ['is kept out since', holder(100n, { owed: 50_000n, standing: 'excluded-by-creator' })],
  ])('pays a debt to an owner who %s', (_who, owner) => {
    expect(allotted([owner]).rows[0]).toEqual({ share: 0n, planned: 50_000n, reason: 'planned' });
  });

  test('keeps everything for the next run where nobody takes part', () => {
    expect(allotted([])).toMatchObject({ dust: 1_000_000n, sumOfWeights: 0n });
    expect(allotted([holder(100n, { standing: 'pool' })])).toMatchObject({ dust: 1_000_000n });
  });

  test('lets others run after every few thousand owners', () => {
    const steps = allot(ownersOf(Array.from({ length: 10_000 }, () => holder(1n))), TERMS);
    let yields = 0;
    while (!steps.next().done) yields += 1;
    expect(yields).toBe(9);
  });

  test('accounts for every unit, pays nobody more than is due, and gives every owner one reason', () => {
    const amount = fc
      .tuple(fc.bigInt({ min: 0n, max: 2n ** 60n }), fc.integer({ min: 0, max: 59 }))
      .map(([value, shift]) => value >> BigInt(shift));
    const owner = fc.record({
      balance: amount,
      owed: amount.map((value) => value >> 8n),
      standing: fc.constantFrom(...STANDINGS),
      hasAccount: fc.boolean(),
    });
    const terms = fc.record({
      amount,
      model: fc.constantFrom('proportional' as const, 'square-root' as const),
      minimumHolding: amount.map((value) => value >> 20n),
      leastShare: fc.constantFrom(0n, 1_000n),
      minimumPayout: fc.constantFrom(1n, 10_000n),
      asset: fc.constantFrom({ kind: 'token' as const }, { kind: 'sol' as const, rentFloor: 890_880n }),
    });
    fc.assert(
      fc.property(fc.array(owner, { maxLength: 40 }), terms, (given, chosen) => {
        const result = allotted(given, chosen);
        const sum = (values: readonly bigint[]) => values.reduce((all, value) => all + value, 0n);
        expect(sum(result.rows.map(({ share }) => share)) + result.dust).toBe(chosen.amount);
        expect(result.dust).toBeGreaterThanOrEqual(0n);
        for (const [index, row] of result.rows.entries()) {
          const due = (given[index]?.owed ?? 0n) + row.share;
          expect(row.planned === due || row.planned === 0n).toBe(true);
          expect(row.planned > 0n).toBe(row.reason === 'planned');
        }
      }),
      { numRuns: 500 },
    );
  });
});
