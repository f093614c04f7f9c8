/** Dividing what a run pays among its holders in columns of typed arrays, against an object and bigints for each holder. */
import {
  type AllotmentTerms,
  allot,
  type Owners,
  STANDINGS,
} from '../../src/distribution/allotting/allot.ts';
import { type AmountColumn, createAmountColumn } from '../../src/distribution/amounts/amount-column.ts';
import { beginDivision, divide } from '../../src/distribution/amounts/shares.ts';
import { alternate } from '../measuring/alternate.ts';
import { type Line, written } from '../measuring/line.ts';

const HOLDERS = 200_000;
const ROUNDS = 15;
const TARGET = { atLeast: 5 };

interface Holder {
  readonly basis: bigint;
  readonly owed: bigint;
  readonly standing: (typeof STANDINGS)[number];
  readonly hasAccount: boolean;
}

interface Part {
  readonly share: bigint;
  readonly planned: bigint;
  readonly reason: string;
}

const TERMS: AllotmentTerms = {
  amount: 5_000_000_000_000n,
  model: 'proportional',
  minimumHolding: 1_000n,
  leastShare: 1_000n,
  minimumPayout: 10_000n,
  asset: { kind: 'sol', rentFloor: 890_880n },
};

export const allotment: Line = async () => {
  const holders = Array.from({ length: HOLDERS }, (_, index) => holderOf(index));
  const weights = holders.map(({ basis }) => basis);
  const owners = ownersOf(holders);
  const sumOfWeights = weights.reduce((sum, weight) => sum + weight, 0n);
  expectSameResults(holders, owners);
  const shares = createAmountColumn(HOLDERS);
  const { medians, ratio } = await alternate(ROUNDS, {
    columns: () =>
      nanosecondsAHolder(() => {
        const { amount, leastShare } = TERMS;
        divide(
          beginDivision({ amount, weights: owners.bases, sumOfWeights, leastShare, shares }),
          0,
          HOLDERS,
        );
      }),
    bigints: () => nanosecondsAHolder(() => void sharesOf(weights, sumOfWeights)),
    wholeInColumns: () => nanosecondsAHolder(() => void allotted(owners)),
    wholeInBigints: () => nanosecondsAHolder(() => void allottedInBigints(holders)),
  });
  return [
    {
      what: `shares of ${HOLDERS.toLocaleString('en-US')} holders by bigints / in columns, by the holder`,
      ratio: ratio('bigints', 'columns'),
      target: TARGET,
      figures: `${written(medians.columns)} ns, ${written(medians.bigints)} ns`,
    },
    {
      what: 'the whole allotment (weights, shares, debts, payments and reasons) by bigints / in columns',
      ratio: ratio('wholeInBigints', 'wholeInColumns'),
      target: TARGET,
      figures: `${written(medians.wholeInColumns)} ns, ${written(medians.wholeInBigints)} ns`,
    },
  ];
};

/** Balances as they are in a token of 10^15 base units: a few large ones, and many small ones. */
function holderOf(index: number): Holder {
  return {
    basis: BigInt(Math.floor(1e12 / (1 + index)) + ((index * 7_919) % 1_000_003) * 1_000),
    owed: index % 3 === 0 ? BigInt((index * 31) % 9_999) : 0n,
    standing: index % 50 === 0 ? 'program-owned' : 'takes-part',
    hasAccount: index % 20 !== 0,
  };
}

function ownersOf(holders: readonly Holder[]): Owners {
  const column = (amountOf: (holder: Holder) => bigint): AmountColumn => {
    const made = createAmountColumn(holders.length);
    for (const [index, holder] of holders.entries()) made.set(index, amountOf(holder));
    return made;
  };
  return {
    count: holders.length,
    bases: column(({ basis }) => basis),
    owed: column(({ owed }) => owed),
    standings: Uint8Array.from(holders, ({ standing }) => STANDINGS.indexOf(standing)),
    hasAccount: Uint8Array.from(holders, ({ hasAccount }) => (hasAccount ? 1 : 0)),
  };
}

/** Of processor time, garbage collection included: both sides are nothing but work, and others may use the machine too. */
function nanosecondsAHolder(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return ((user + system) * 1e3) / HOLDERS;
}

function allotted(owners: Owners) {
  const work = allot(owners, TERMS);
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

function sharesOf(weights: readonly bigint[], sumOfWeights: bigint): readonly bigint[] {
  return weights.map((weight) => {
    const share = (TERMS.amount * weight) / sumOfWeights;
    return share >= TERMS.leastShare ? share : 0n;
  });
}

/** The rules as they are written down, one holder after the other. */
function allottedInBigints(holders: readonly Holder[]): readonly Part[] {
  const { minimumHolding, minimumPayout, asset } = TERMS;
  const weights = holders.map(({ basis }) => (basis >= minimumHolding ? basis : 0n));
  const shares = sharesOf(
    weights,
    weights.reduce((sum, weight) => sum + weight, 0n),
  );
  return holders.map(({ owed, standing, hasAccount }, index) => {
    const share = shares[index] ?? 0n;
    const due = owed + share;
    const reason =
      standing === 'program-owned'
        ? standing
        : due === 0n
          ? weights[index] === 0n
            ? 'below-minimum-holding'
            : 'below-least-share'
          : due < minimumPayout
            ? 'below-minimum-payout'
            : hasAccount || (asset.kind === 'sol' && due >= asset.rentFloor)
              ? 'planned'
              : 'under-rent-floor';
    return { share, planned: reason === 'planned' ? due : 0n, reason };
  });
}

function expectSameResults(holders: readonly Holder[], owners: Owners): void {
  const { shares, planned, sumOfPlanned } = allotted(owners);
  const expected = allottedInBigints(holders);
  const differs = expected.findIndex(
    (part, index) => part.share !== shares.get(index) || part.planned !== planned.get(index),
  );
  if (differs !== -1) throw new Error(`holder ${differs} is not allotted the same on both sides`);
  if (sumOfPlanned === 0n) throw new Error('nobody is paid');
}
