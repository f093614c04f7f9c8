// The books of a run that is to be closed: what they say, and each equation that keeps them open.
import { describe, expect, test } from 'vitest';
import { closingBooks, runClosed, settlementHeader } from '../../../../src/distribution/run/closing-books.ts';
import type { LastBooks } from '../../../../src/distribution/run/read-books.ts';
import { type CarriedOver, NOTHING_CARRIED, RunOpened } from '../../../../src/streams/distribution.ts';
import {
  BatchesSettled,
  BatchReplanned,
  RunAllotted,
  TaxCollected,
  TaxSplit,
} from '../../../../src/streams/distribution-run.ts';
import {
  batchesSettled,
  batchReplanned,
  delegate,
  files,
  pot,
  runAllotted,
  runClosed as runClosedExample,
  runOpened,
  settledBatch,
  taxCollected,
  taxSplit,
} from '../../../support/distribution-examples.ts';
import { ids, signatures } from '../../../support/domain-examples.ts';
import { BOOK, bookOf, closeLanded, courseTo, lastTill, NOW, viewOf } from '../../../support/run-examples.ts';

const { tokenId } = ids;
const { runId } = runOpened.data;

type Instead = Parameters<typeof courseTo>[1];

/** Exactly what is owed, kept or undivided after the example. */
const LAST: LastBooks = { till: lastTill, lamports: 11_000_000n, tokens: 90_000n };

function booksOf(instead: Instead = [], last: Partial<LastBooks> = {}, book = BOOK) {
  const view = viewOf(courseTo(closeLanded, instead));
  return { view, books: closingBooks(view, book, { ...LAST, ...last }) };
}

const brokenBy = (...given: Parameters<typeof booksOf>) => booksOf(...given).books.broken;

const opened = (carried: Partial<CarriedOver>) =>
  RunOpened({ ...runOpened.data, carried: { ...NOTHING_CARRIED, ...carried } });
const collected = (amount: bigint) => TaxCollected({ ...taxCollected.data, collected: amount.toString() });
const splitAs = (changed: Partial<typeof taxSplit.data>) => TaxSplit({ ...taxSplit.data, ...changed });
const allottedAs = (changed: Partial<typeof runAllotted.data>) =>
  RunAllotted({ ...runAllotted.data, ...changed });

/** The same run, in base units of the token: nothing is sold, and the wallet's own account is the pot. */
const inTokens = {
  opened: RunOpened({ ...runOpened.data, asset: 'token' }),
  split: splitAs({
    burned: '100000',
    sold: { developer: '90000', holders: '720000' },
    kept: { developer: '10000', holders: '80000' },
    proceeds: '0',
    costs: '0',
    developer: '90000',
    holders: '720000',
  }),
  allotted: allottedAs({
    asset: 'token',
    divided: '720000',
    shares: '719999',
    dust: '1',
    payments: { sol: { count: 0, sum: '0' }, token: { count: 3, sum: '800000' } },
    pots: [{ asset: 'token', address: pot, delegate, seed: '', from: 0, to: 3, allowance: '800000' }],
  }),
  settled: BatchesSettled({
    ...batchesSettled.data,
    batches: batchesSettled.data.batches.map((batch) => ({ ...batch, value: '800000', left: '9999' })),
  }),
};
const IN_TOKENS = Object.values(inTokens);
const TOKEN_BOOK = bookOf(400_000n, 9_999n, 390_001n);
/** Of 809,999 earned 790,001 are paid; 1 is undivided and 90,000 are kept. */
const TOKEN_LAST = { lamports: 0n, tokens: 19_998n + 1n + 90_000n };

const TOKEN_POT = {
  asset: 'token',
  address: lastTill,
  delegate,
  seed: '',
  from: 0,
  to: 2,
  allowance: '7',
} as const;
/** A book of debts beside what the run pays. */
const withDebts = (asset: 'sol' | 'token', book: typeof BOOK, debts: bigint): typeof BOOK => ({
  notToHolders: [],
  sumOfBatch: (of, batch) => (of === asset ? book.sumOfBatch(of, batch) : debts),
});

describe('books that agree', () => {
  test('tell what went to holders from what went to the developer and for costs, and count holders alone', () => {
    const named = (number: number, kind: 'costs' | 'developer', amount: bigint) => ({ number, kind, amount });
    const paidTo = (...notToHolders: readonly ReturnType<typeof named>[]) =>
      booksOf([], {}, { ...BOOK, notToHolders }).books.paidTo;
    expect(paidTo(named(0, 'costs', 44_000_000n), named(2, 'developer', 45_000_000n))).toEqual({
      costs: '44000000',
      developer: '45000000',
      holders: '0',
      holdersPaid: 0,
    });
    // The second payment was refused: nobody got it.
    expect(paidTo(named(0, 'costs', 44_000_000n), named(1, 'developer', 1_000_000n))).toEqual({
      costs: '44000000',
      developer: '0',
      holders: '45000000',
      holdersPaid: 1,
    });
  });

  test('take over what is owed and undivided in both assets', () => {
    const carried = { owed: { sol: '5', token: '7' }, dust: { sol: '2', token: '3' } };
    const { books } = booksOf([opened(carried), allottedAs({ shares: '88880000', dust: '2' })], {
      lamports: 11_000_007n,
      tokens: 90_010n,
    });
    expect(books).toMatchObject({
      broken: undefined,
      owedAfter: { sol: 11_000_005n, token: 7n },
      dustAfter: { sol: 2n, token: 3n },
    });
  });
});

describe('the books do not agree where', () => {
  test.each([
    ['one base unit more was collected', [collected(1_000_001n)], '1000001 is not 1000000'],
    ['one base unit less was collected', [collected(999_999n)], '999999 is not 1000000'],
    [
      'one more was kept before',
      [opened({ kept: { developer: '1', holders: '0' } })],
      '1000001 is not 1000000',
    ],
    ['one more was burned', [splitAs({ burned: '100001' })], '1000000 is not 1000001'],
    [
      'one more was sold',
      [splitAs({ sold: { developer: '90000', holders: '720001' } })],
      '1000000 is not 1000001',
    ],
    [
      'one less is kept',
      [splitAs({ kept: { developer: '9999', holders: '80000' } })],
      '1000000 is not 999999',
    ],
  ] as const)('%s: tokens that were collected', (_why, instead, figures) => {
    expect(brokenBy([...instead])).toBe(`collected + kept = burned + sold + kept afterwards, but ${figures}`);
  });

  test.each([
    ['one lamport more came', { proceeds: '100000001' }, '100000001 is not 100000000'],
    ['one lamport less came', { proceeds: '99999999' }, '99999999 is not 100000000'],
    ['one more was taken for costs', { costs: '10001' }, '100000000 is not 100000001'],
    ['one more is the developer’s', { developer: '11110001' }, '100000000 is not 100000001'],
  ])('%s: what the sale brought', (_why, changed, figures) => {
    expect(brokenBy([splitAs(changed)], { lamports: 2n * LAST.lamports })).toBe(
      `proceeds = costs + developer + holders, but ${figures}`,
    );
  });

  test.each([
    ['one lamport more was shared', [allottedAs({ shares: '88880000' })], '88880000 is not 88880001'],
    ['one less was shared', [allottedAs({ shares: '88879998' })], '88880000 is not 88879999'],
    [
      'earlier dust was not divided',
      [opened({ dust: { sol: '1', token: '0' } })],
      '88880001 is not 88880000',
    ],
  ] as const)('%s: what is the holders’', (_why, instead, figures) => {
    expect(brokenBy([...instead], { lamports: 2n * LAST.lamports })).toBe(
      `holders + dust = shares + dust afterwards, but ${figures}`,
    );
  });

  test('one lamport more was paid than was owed', () => {
    const exact = bookOf(44_000_000n, 1_000_000n, 55_999_999n - 1_000_000n + 999_999n + 1n);
    expect(booksOf([], {}, exact).books).toMatchObject({ owedAfter: { sol: 0n }, broken: undefined });
    const more = bookOf(44_000_000n, 1_000_000n, 56_000_000n);
    expect(booksOf([], {}, more).books).toMatchObject({
      owedAfter: { sol: -1n },
      broken: 'more was paid than was owed',
    });
  });

  test('one base unit more was paid than was owed', () => {
    const more = bookOf(400_000n, 0n, 410_000n);
    expect(booksOf(IN_TOKENS, TOKEN_LAST, more).books).toMatchObject({
      owedAfter: { token: -1n },
      broken: 'more was paid than was owed',
    });
  });

  const short = TOKEN_LAST.tokens - 1n;
  test.each<readonly [what: string, given: Parameters<typeof booksOf>, broken: string]>([
    [
      'a lamport is missing in the till',
      [[], { lamports: 10_999_999n }],
      'the till holds 10999999 lamports, but 11000000 are owed or undivided',
    ],
    [
      'a base unit is missing in the wallet’s account',
      [[], { tokens: 89_999n }],
      "the wallet's account holds 89999 base units, but 90000 are kept, owed or undivided",
    ],
    [
      'a base unit is missing of what a run pays in the token itself',
      [IN_TOKENS, { lamports: 0n, tokens: short }, TOKEN_BOOK],
      `the wallet's account holds ${short} base units, but ${TOKEN_LAST.tokens} are kept, owed or undivided`,
    ],
  ])('%s', (_what, given, broken) => {
    expect(brokenBy(...given)).toBe(broken);
  });
});

describe('payments that were refused', () => {
  const plan = { pot: 0, value: '90000000', from: 0, to: 3, without: [1] };
  const settledAs = (...batches: readonly (readonly [from: number, to: number, without: number[]])[]) =>
    BatchesSettled({
      tokenId,
      runId,
      batches: batches.map(([from, to, without]) => ({
        ...plan,
        from,
        to,
        without,
        signature: signatures.first,
        slot: '4150',
        left: '0',
        fee: '5000',
      })),
    });
  const refusedOf = (settled: ReturnType<typeof settledAs>, refused: readonly number[]) => {
    const replanned = BatchReplanned({
      ...batchReplanned.data,
      refused: refused.map((number) => ({ number, refusal: 'frozen' })),
    });
    return booksOf([settled, replanned]).books.paid.sol;
  };

  test('count at the borders of the batches, and beyond the last', () => {
    const settled = settledAs([0, 1, []], [2, 3, []]);
    expect(refusedOf(settled, [0, 1, 2, 3]).refused.map(({ number }) => number)).toEqual([1, 3]);
  });

  test('stand in their order, like the batches, whatever order they were recorded in', () => {
    const { batches, refused, count } = refusedOf(settledAs([2, 3, []], [0, 2, [0, 1]]), [1, 0]);
    expect(count).toBe(1);
    expect(batches.map(({ from }) => from)).toEqual([0, 2]);
    expect(refused.map(({ number }) => number)).toEqual([0, 1]);
  });
});

describe('what is written when a run is closed', () => {
  /** The data of the event, for books that agree. */
  function closedBy(...given: Parameters<typeof booksOf>) {
    const { view, books } = booksOf(...given);
    expect(books.broken).toBeUndefined();
    return runClosed(view, books, { settlement: files.settlement, now: NOW }).data;
  }

  test('is the header of its settlement', () => {
    const { view, books } = booksOf();
    expect(settlementHeader(view, books)).toEqual({
      format: 'levy-settlement-1',
      runId,
      tokenId,
      mint: runOpened.data.mint,
      allotment: files.ledger,
      root: files.root,
      sol: { payments: 3, batches: 1, paid: 2, sum: '89000000', refused: 1 },
      token: { payments: 0, batches: 0, paid: 0, sum: '0', refused: 0 },
      owedAfter: { sol: '10999999', token: '0' },
      dustAfter: { sol: '1', token: '0' },
      tillAfter: { address: lastTill, lamports: '11000000' },
      pots: [{ asset: 'sol', address: pot, allowance: '90000000', left: '1000000' }],
      transactions: {
        withdraw: [signatures.second],
        split: [signatures.first],
        open: [signatures.first],
        close: [signatures.second],
      },
    });
  });

  test('is the event, with both sides of every equation and what is carried over', () => {
    const { view, books } = booksOf();
    // The harvest, four links and a batch.
    const data = {
      ...runClosedExample.data,
      paidTo: books.paidTo,
      fees: '35000',
      closedAt: NOW.toISOString(),
    };
    expect(runClosed(view, books, { settlement: files.settlement, now: NOW })).toEqual({
      ...runClosedExample,
      data,
    });
  });

  test('tells what was paid in the other asset, and the payments in both', () => {
    const instead = [
      opened({ owed: { sol: '0', token: '7' } }),
      allottedAs({ pots: [...runAllotted.data.pots, TOKEN_POT] }),
      BatchesSettled({
        ...batchesSettled.data,
        batches: [
          settledBatch,
          { ...settledBatch, pot: 1, value: '7', from: 0, to: 2, without: [], left: '0' },
        ],
      }),
    ];
    expect(closedBy(instead, { tokens: 90_001n }, withDebts('sol', BOOK, 6n))).toMatchObject({
      paidDebts: '6',
      walletsPaid: 4,
      amounts: { paid: '89000000', owed: '0', owedAfter: '10999999' },
      carried: { owed: { sol: '10999999', token: '1' }, dust: { sol: '1', token: '0' } },
    });
  });

  test('carries the tax of the engine’s own sales over, where the split noted it', () => {
    const parts = { developer: '1', holders: '2' };
    const ownTax = { before: parts, returned: parts, after: { developer: '3', holders: '4' } };
    const { view, books } = booksOf([splitAs({ ownTax })]);
    const { data } = runClosed(view, books, { settlement: files.settlement, now: NOW });
    expect([data.amounts.ownTax, data.carried.ownTax]).toEqual([ownTax, ownTax.after]);
  });

  test('names the partner that the run was opened with', () => {
    const ofPartner = RunOpened({ ...runOpened.data, partner: 'acme' });
    expect(closedBy([ofPartner])).toMatchObject({ partner: 'acme' });
    expect(closedBy()).not.toHaveProperty('partner');
  });
});
