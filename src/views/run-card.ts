/** View of a run in a list. */
import { type Static, Type } from '@sinclair/typebox';
import { Uuid } from '../kernel/runtime/ids.ts';
import type { DistributionRunDocument } from '../projections/distribution-runs.ts';
import { RewardAsset } from '../streams/distribution.ts';
import { potsOf } from '../streams/distribution-run.ts';
import { PaidTo } from '../streams/run-amounts.ts';
import { sumAmounts } from '../streams/sum-amounts.ts';
import { Amount, described, enumOf, orNull, Timestamp } from '../streams/value-types.ts';

const PaidToView = Type.Object(
  {
    costs: described(Amount, 'Repaid to the distributor for its fees.'),
    developer: described(Amount, 'Paid to the developer, without payments as a holder.'),
    holders: described(Amount, 'Paid to holders. `costs + developer + holders = paid`.'),
    holdersPaid: described(PaidTo.properties.holdersPaid, 'Number of holders that were paid.', [1]),
  },
  { title: 'DistributionPaidTo' },
);

export const card = {
  runId: Uuid,
  number: Type.Integer({
    minimum: 1,
    description: 'Number of the run; the first run of a token is 1.',
    examples: [42],
  }),
  status: enumOf('DistributionRunStatus', ['open', 'completed', 'halted'], {
    description: '`halted`: stopped until an operator resumes it. No payment is lost.',
  }),
  dueAt: Timestamp,
  openedAt: Timestamp,
  closedAt: orNull(Timestamp),
  rewardToken: Type.String({ description: '`SOL`, `SELF` or a mint address.', examples: ['SOL'] }),
  asset: described(RewardAsset, 'Asset that the run pays: SOL, or the token itself.'),
  collected: described(Amount, 'Collected tax so far, in base units.'),
  burned: described(Amount, 'Burned so far, in base units.'),
  sold: described(Amount, 'Sold so far, in base units.'),
  proceeds: described(Amount, 'Proceeds of sales so far, in lamports.'),
  paid: described(
    Amount,
    'Total paid so far in `asset`: to holders, to the developer, and to the distributor for its costs. ' +
      '`paidTo` splits it.',
  ),
  paymentCount: Type.Integer({
    minimum: 0,
    description:
      'Number of final payments so far: to holders, to the developer and to the distributor, and of debts in the other asset. ' +
      'One wallet may receive several.',
    examples: [1_002],
  }),
  walletsPaid: orNull(
    Type.Integer({
      minimum: 0,
      description:
        'Number of holders that were paid, equal to `paidTo.holdersPaid`. Null while the run is open.',
      examples: [1_000],
    }),
  ),
  paidTo: orNull(PaidToView, {
    description: 'Null while the run is open.',
  }),
};

const cardExample = {
  runId: '2d2f3b0c-6f0e-5d8f-8a53-0d1f0c9f4a77',
  number: 42,
  status: 'completed' as const,
  dueAt: '2026-11-21T13:00:42.000Z',
  openedAt: '2026-11-21T13:00:50.000Z',
  closedAt: '2026-11-21T13:01:30.000Z',
  rewardToken: 'SOL',
  asset: 'sol' as const,
  collected: '1000000',
  burned: '100000',
  sold: '810000',
  proceeds: '100000000',
  paid: '89000000',
  paymentCount: 3,
  walletsPaid: 1,
  paidTo: { costs: '10000', developer: '11110000', holders: '77880000', holdersPaid: 1 },
};

export const RunCard = Type.Object(card, { title: 'DistributionRun', examples: [cardExample] });

/** `isHalted`: an operator or a failed check has halted the token, or all tokens. */
export function runCard(run: DistributionRunDocument, isHalted: boolean): Static<typeof RunCard> {
  const { closed } = run;
  const { collected, split } = run.records;
  return {
    runId: run.runId,
    number: run.number,
    status: run.closedAt !== null ? 'completed' : isHalted ? 'halted' : 'open',
    dueAt: run.dueAt,
    openedAt: run.openedAt,
    closedAt: run.closedAt,
    rewardToken: run.settings.rewardToken,
    asset: run.asset,
    collected: collected?.collected ?? '0',
    burned: split?.burned ?? '0',
    sold: split === undefined ? '0' : sumAmounts(split.sold.developer, split.sold.holders),
    proceeds: split?.proceeds ?? '0',
    paid: closed?.amounts.paid ?? paidFromPots(run, run.asset),
    paymentCount: run.payments,
    walletsPaid: closed?.paidTo.holdersPaid ?? null,
    paidTo: closed?.paidTo ?? null,
  };
}

/** Amount paid from an open run's pots in final transactions. */
export function paidFromPots({ records }: DistributionRunDocument, asset: RewardAsset): string {
  return potsOf(records)
    .filter((pot) => pot.asset === asset)
    .reduce((total, { allowance, left }) => total + BigInt(allowance) - BigInt(left), 0n)
    .toString();
}
