/** Returns the totals of a token's tax, the withheld rest, and the due time or wait of the next run. */
import { type Static, Type } from '@sinclair/typebox';
import type { ReadModel } from '../kernel/ports/read-model.ts';
import { queriesFor, TaggedAnswer } from '../kernel/runtime/define-query.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { type DistributionRunDocument, distributionRuns } from '../projections/distribution-runs.ts';
import type { DistributionDocument } from '../projections/distributions.ts';
import { add, type ByAsset, paidIn } from '../projections/run-sums.ts';
import type { RewardAsset } from '../streams/distribution.ts';
import { Parts } from '../streams/run-amounts.ts';
import { sumAmounts } from '../streams/sum-amounts.ts';
import { Address, Amount, described, orNull, Timestamp } from '../streams/value-types.ts';
import { haltOfAll, visibleDistribution } from '../views/distribution-access.ts';
import { nextRunAt, WaitingFor, waitingFor } from '../views/distribution-outlook.ts';
import {
  BySum,
  PaidParts,
  PaidToHolders,
  paidPartsView,
  paidToHoldersView,
  Sum,
} from '../views/paid-views.ts';
import { paidFromPots, runCard } from '../views/run-card.ts';
import { TokenReference } from '../views/token-access.ts';
import { HolderCount } from '../views/token-views.ts';

export const TaxView = Type.Object(
  {
    tokenId: Uuid,
    mintAddress: Address,
    lastScan: orNull(
      Type.Object({
        withheld: Sum('Base units of tax in the accounts and in the mint, before it was collected.'),
        slot: described(Amount, 'Slot of the scan.'),
        at: Timestamp,
      }),
      { description: 'The last scan of the holders; null before the first.' },
    ),
    collected: Sum('Collected tax, in base units.'),
    burned: Sum('Burned tax, in base units.'),
    sold: Sum('Base units; if rewards are paid in the token itself, the amount paid instead of sold.'),
    kept: described(Parts, 'Collected base units that are not burned or sold yet.'),
    proceeds: Sum('Proceeds of sales, in lamports.'),
    costs: Sum('Lamports repaid to the distributor for its fees.'),
    paidByAsset: BySum(
      'Total paid: to holders, to the developer, to the distributor for its costs, and debts in the former ' +
        'reward asset. Includes final payments of the open run. `paidTo` splits it.',
    ),
    paidTo: PaidParts,
    paidToHolders: PaidToHolders,
    averagePaidPerRun: BySum(
      '`paidToHolders.lifetime` divided by the number of closed runs, rounded down; 0 before the first.',
    ),
    holderCount: HolderCount,
    runsClosed: Type.Integer({ minimum: 0, description: 'Number of closed runs.', examples: [41] }),
    owedByAsset: BySum('Amounts earned by wallets and not paid, as of the last closed run.'),
    runCount: Type.Integer({ minimum: 0, description: 'Number of opened runs.', examples: [42] }),
    openRunId: orNull(Uuid),
    lastDistributionAt: orNull(Timestamp, { description: 'Close of the last closed run.' }),
    nextDistributionAt: orNull(Timestamp, {
      description: 'Null if no run is planned.',
    }),
    waitingFor: WaitingFor,
  },
  { title: 'DistributionTax', description: 'Includes the final steps of the open run.' },
);

export const getTax = queriesFor<RuntimeServices>()({
  name: 'GetTax',
  summary: "Get the totals of a token's tax",
  description:
    'Totals withheld, collected, burned, sold and paid so far, and the due time or the wait of the next run.',
  route: { method: 'GET', url: '/distribution/:tokenId/tax', auth: 'optional' },
  input: { params: Type.Object({ tokenId: TokenReference }) },
  output: TaxView,
  rejections: ['TOKEN_NOT_FOUND', 'STORE_UNAVAILABLE'],
  async answer({ params }, { services: { readModel, clock }, call: { actor } }) {
    const distribution = await visibleDistribution(readModel, params.tokenId, actor);
    const answer = await taxOf(readModel, distribution, clock.now());
    return new TaggedAnswer(answer);
  },
});

/** Requires that the caller may see the token. */
export async function taxOf(
  readModel: ReadModel,
  distribution: DistributionDocument,
  now: Date,
): Promise<Static<typeof TaxView>> {
  const [allHalted, open] = await Promise.all([haltOfAll(readModel), openRunOf(readModel, distribution)]);
  const { runs, openRunId, scanned, totals, withheld } = distribution;
  const runsClosed = openRunId === null ? runs : runs - 1;
  return {
    tokenId: distribution.tokenId,
    mintAddress: distribution.mint,
    lastScan: withheld && { withheld: withheld.amount, slot: withheld.slot, at: withheld.at },
    ...soFar(distribution, open),
    paidTo: paidPartsView(totals.paidTo),
    paidToHolders: paidToHoldersView(totals.paidTo.holders, totals.recentlyToHolders, now),
    averagePaidPerRun: dividedBy(totals.paidTo.holders, runsClosed),
    holderCount: scanned?.owners ?? 1,
    runsClosed,
    runCount: runs,
    openRunId,
    lastDistributionAt: distribution.lastClosedAt,
    nextDistributionAt: nextRunAt(distribution, allHalted, now),
    waitingFor: waitingFor(distribution, allHalted),
  };
}

function dividedBy({ sol, token }: ByAsset, runs: number): ByAsset {
  const part = (total: string) => (BigInt(total) / BigInt(Math.max(1, runs))).toString();
  return { sol: part(sol), token: part(token) };
}

/** Undefined also if the document does not exist yet, or if the run was closed in the meantime and is part of the totals. */
async function openRunOf(
  readModel: ReadModel,
  { openRunId }: DistributionDocument,
): Promise<DistributionRunDocument | undefined> {
  const run = openRunId === null ? undefined : await readModel.get(distributionRuns, openRunId);
  return run?.closedAt === null ? run : undefined;
}

function soFar({ totals, kept }: DistributionDocument, open: DistributionRunDocument | undefined) {
  const run = open && runCard(open, false);
  const paid = (asset: RewardAsset) => (open === undefined ? '0' : paidFromPots(open, asset));
  return {
    collected: sumAmounts(totals.collected, run?.collected ?? '0'),
    burned: sumAmounts(totals.burned, run?.burned ?? '0'),
    sold: sumAmounts(totals.sold, run?.sold ?? '0'),
    kept: open?.records.split?.kept ?? kept,
    proceeds: sumAmounts(totals.proceeds, run?.proceeds ?? '0'),
    costs: totals.paidTo.costs.sol,
    paidByAsset: add(paidIn(totals.paidTo), { sol: paid('sol'), token: paid('token') }),
    owedByAsset: totals.owed,
  };
}
