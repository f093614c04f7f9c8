/** What became of a token's tax so far, what is still withheld, and what the next run waits for. */
import { type Static, Type } from '@sinclair/typebox';
import type { ReadModel } from '../kernel/ports/read-model.ts';
import { queriesFor, TaggedAnswer } from '../kernel/runtime/define-query.ts';
import { entityTagOf } from '../kernel/runtime/entity-tag.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { type DistributionRunDocument, distributionRuns } from '../projections/distribution-runs.ts';
import type { DistributionDocument } from '../projections/distributions.ts';
import { Parts, type RewardAsset } from '../streams/distribution.ts';
import { Address, Amount, Timestamp } from '../streams/values.ts';
import { haltOfAll, visibleDistribution } from '../views/distribution-access.ts';
import { nextRunAt, WaitingFor, waitingFor } from '../views/distribution-outlook.ts';
import { paidFromPots, runCard } from '../views/run-views.ts';
import { TokenReference } from '../views/token-access.ts';

/** Sums of many runs: they may exceed 64 bits. */
const Sum = (description: string) =>
  Type.String({ pattern: '^(0|[1-9][0-9]*)$', description, examples: ['1000000000'] });
const BySum = (description: string) =>
  Type.Object({ sol: Sum('Lamports.'), token: Sum('Base units.') }, { description });

const TaxView = Type.Object(
  {
    tokenId: Uuid,
    mintAddress: Address,
    withheld: Type.Union(
      [
        Type.Object({
          amount: Sum('Base units, in the accounts and in the mint.'),
          slot: Type.String({ ...Amount, description: 'When the chain showed it.' }),
          at: Timestamp,
        }),
        Type.Null(),
      ],
      { description: 'As the last scan found it, before it was collected; null before the first.' },
    ),
    collected: Sum('Base units.'),
    burned: Sum('Base units.'),
    sold: Sum('Base units; where the token itself is paid, what was paid instead of sold.'),
    kept: Type.Object(Parts.properties, {
      description: 'Base units that were collected and neither burned nor sold yet.',
    }),
    proceeds: Sum('Lamports.'),
    costs: Sum('Lamports that the distributor got back for its fees.'),
    paid: BySum('To all wallets.'),
    owed: BySum('Earned by wallets and not paid yet, as of the last closed run.'),
    runs: Type.Integer({ minimum: 0, description: 'Runs that were opened.', examples: [42] }),
    openRunId: Type.Union([Uuid, Type.Null()]),
    lastRunAt: Type.Union([Timestamp, Type.Null()], { description: 'When the last run was closed.' }),
    nextRunAt: Type.Union([Timestamp, Type.Null()], {
      description: 'Null while none is going to be opened.',
    }),
    waitingFor: WaitingFor,
  },
  { title: 'DistributionTax', description: 'What the open run has done is counted as far as it is final.' },
);

export const getTax = queriesFor<RuntimeServices>()({
  name: 'GetTax',
  summary: "Get what became of a token's tax",
  description:
    'What was withheld, collected, burned, sold and paid so far, and when the next run is due or what it waits ' +
    'for.',
  route: { method: 'GET', url: '/distribution/:tokenId/tax', auth: 'optional' },
  input: { params: Type.Object({ tokenId: TokenReference }) },
  output: TaxView,
  tagged: true,
  rejections: ['TOKEN_NOT_FOUND', 'STORE_UNAVAILABLE'],
  async answer({ params }, { services: { readModel, clock }, call: { actor } }) {
    const distribution = await visibleDistribution(readModel, params.tokenId, actor);
    const [allHalted, open] = await Promise.all([haltOfAll(readModel), openRunOf(readModel, distribution)]);
    const answer: Static<typeof TaxView> = {
      tokenId: distribution.tokenId,
      mintAddress: distribution.mint,
      withheld: distribution.withheld,
      ...soFar(distribution, open),
      runs: distribution.runs,
      openRunId: distribution.openRunId,
      lastRunAt: distribution.lastClosedAt,
      nextRunAt: nextRunAt(distribution, allHalted, clock.now()),
      waitingFor: waitingFor(distribution, allHalted),
    };
    return new TaggedAnswer(answer, entityTagOf(answer));
  },
});

/** Undefined also where its document is not there yet, or has been closed meanwhile: the totals have it then. */
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
    collected: sum(totals.collected, run?.collected),
    burned: sum(totals.burned, run?.burned),
    sold: sum(totals.sold, run?.sold),
    kept: open?.split?.kept ?? kept,
    proceeds: sum(totals.proceeds, run?.proceeds),
    costs: totals.costs,
    paid: { sol: sum(totals.paidSol, paid('sol')), token: sum(totals.paidToken, paid('token')) },
    owed: { sol: totals.owedSol, token: totals.owedToken },
  };
}

function sum(closed: string, open = '0'): string {
  return (BigInt(closed) + BigInt(open)).toString();
}
