/**
 * One document: what the distributions of all tokens have done together, kept as running sums, so that a look at it costs
 * the same whatever their number. Amounts are those of closed runs; payments count as soon as the chain shows them.
 */
import type { RewardAsset } from '../streams/distribution.ts';
import { sum } from '../streams/sum-of-digits.ts';
import { defineProjection } from './define-projection.ts';
import { addPaid, NOTHING_PAID, type PaidTotals, paidByRun } from './paid-totals.ts';

/** The key of the document. */
export const ALL_DISTRIBUTIONS = 'all';

/** Digits of any length. Base units of different tokens are added up: they say that something moves, not what it is worth. */
export type DistributionTotalsDocument = {
  readonly runsOpened: number;
  readonly runsClosed: number;
  /** By reason: how often a due run was skipped for another reason than the one before. */
  readonly skips: { readonly [reason: string]: number };
  readonly payments: number;
  /** Base units that scans found withheld. */
  readonly withheld: string;
  readonly collected: string;
  readonly burned: string;
  readonly sold: string;
  /** Lamports that sales brought. */
  readonly proceeds: string;
  readonly paid: { readonly [Asset in RewardAsset]: string };
  readonly owed: { readonly [Asset in RewardAsset]: string };
  /** Everything that was paid, by what it was paid for. */
  readonly paidTo: PaidTotals;
  /** Payments to holders, where they were counted apart. */
  readonly holdersPaid: number;
  /** Lamports that runs have repaid to the distributor. */
  readonly costs: string;
  /** Lamports of fees that the distributor paid. */
  readonly fees: string;
  /** Lamports that the desk has paid at least, for tokens that it bought. */
  readonly spentByDesk: string;
};

export const NO_DISTRIBUTIONS: DistributionTotalsDocument = {
  runsOpened: 0,
  runsClosed: 0,
  skips: {},
  payments: 0,
  withheld: '0',
  collected: '0',
  burned: '0',
  sold: '0',
  proceeds: '0',
  paid: { sol: '0', token: '0' },
  owed: { sol: '0', token: '0' },
  paidTo: NOTHING_PAID,
  holdersPaid: 0,
  costs: '0',
  fees: '0',
  spentByDesk: '0',
};

const theTotals = (): string => ALL_DISTRIBUTIONS;

export const distributionTotals = defineProjection<DistributionTotalsDocument>({
  name: 'distribution_totals',
  version: 1,
  on: {
    RunOpened: {
      key: theTotals,
      apply: (totals = NO_DISTRIBUTIONS) => ({ ...totals, runsOpened: totals.runsOpened + 1 }),
    },
    RunSkipped: {
      key: theTotals,
      apply: (totals = NO_DISTRIBUTIONS, { data: { reason } }) => ({
        ...totals,
        skips: { ...totals.skips, [reason]: (totals.skips[reason] ?? 0) + 1 },
      }),
    },
    HoldersScanned: {
      key: theTotals,
      apply: (totals = NO_DISTRIBUTIONS, { data }) => ({
        ...totals,
        withheld: sum(totals.withheld, data.withheld),
      }),
    },
    LinksLanded: {
      key: theTotals,
      apply(totals = NO_DISTRIBUTIONS, { data: { links } }) {
        const spent = links
          .flatMap(({ actions }) => actions)
          .reduce(
            (all, action) =>
              action.kind === 'sell' && action.venue === 'desk' ? sum(all, action.minimum) : all,
            totals.spentByDesk,
          );
        return { ...totals, spentByDesk: spent };
      },
    },
    BatchesSettled: {
      key: theTotals,
      apply(totals = NO_DISTRIBUTIONS, { data: { batches } }) {
        const paid = batches.reduce((count, { from, to, without }) => count + to - from - without.length, 0);
        return { ...totals, payments: totals.payments + paid };
      },
    },
    RunClosed: {
      key: theTotals,
      apply(totals = NO_DISTRIBUTIONS, { data }) {
        const { asset, amounts, paidDebts, fees } = data;
        const other = asset === 'sol' ? 'token' : 'sol';
        return {
          ...totals,
          runsClosed: totals.runsClosed + 1,
          collected: sum(totals.collected, amounts.collected),
          burned: sum(totals.burned, amounts.burned),
          sold: sum(totals.sold, amounts.sold.developer, amounts.sold.holders),
          proceeds: sum(totals.proceeds, amounts.proceeds),
          paid: {
            ...totals.paid,
            [asset]: sum(totals.paid[asset], amounts.paid),
            [other]: sum(totals.paid[other], paidDebts),
          },
          owed: {
            ...totals.owed,
            [asset]: sum(totals.owed[asset], amounts.owedAfter, `-${amounts.owed}`),
            [other]: sum(totals.owed[other], `-${paidDebts}`),
          },
          paidTo: addPaid(totals.paidTo, paidByRun(data)),
          holdersPaid: totals.holdersPaid + data.paidTo.holdersPaid,
          costs: asset === 'sol' ? sum(totals.costs, amounts.costs) : totals.costs,
          fees: sum(totals.fees, fees),
        };
      },
    },
  },
});
