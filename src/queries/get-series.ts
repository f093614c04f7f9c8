/** Returns the proceeds and payments of a token's runs for a chart, by run or by day; reads a bounded number of documents. */
import { type Static, Type } from '@sinclair/typebox';
import type { ReadModel } from '../kernel/ports/read-model.ts';
import { queriesFor, TaggedAnswer } from '../kernel/runtime/define-query.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { type DistributionDayDocument, distributionDays } from '../projections/distribution-days.ts';
import { type DistributionRunDocument, distributionRuns } from '../projections/distribution-runs.ts';
import { type RunSums, sumsOfRun } from '../projections/run-sums.ts';
import { described, enumOf, Timestamp } from '../streams/value-types.ts';
import { visibleDistribution } from '../views/distribution-access.ts';
import { PaidParts, paidPartsView, Sum } from '../views/paid-views.ts';
import { TokenReference } from '../views/token-access.ts';

const MAX = { run: 100, day: 366 } as const;
const USUAL = { run: 50, day: 90 } as const;

const Point = Type.Object(
  {
    at: described(Timestamp, 'Close of the run, or start of the day (UTC).'),
    runCount: Type.Integer({ minimum: 1, description: 'Number of closed runs.', examples: [1] }),
    number: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Number of the run; only by run.', examples: [42] }),
    ),
    collected: Sum('Collected tax, in base units.'),
    burned: Sum('Burned tax, in base units.'),
    sold: Sum('Sold tax, in base units.'),
    proceeds: Sum('Proceeds of sales, in lamports.'),
    paidTo: PaidParts,
    paymentsToHolders: Type.Integer({
      minimum: 0,
      description: 'Number of payments to holders.',
      examples: [1_000],
    }),
  },
  { title: 'DistributionPoint' },
);

const By = enumOf('SeriesStep', ['run', 'day']);

export const getSeries = queriesFor<RuntimeServices>()({
  name: 'GetSeries',
  summary: "Get the payments of a token's runs over time",
  description: 'Closed runs only, oldest first. By `day`, days without a closed run are omitted.',
  route: { method: 'GET', url: '/distribution/:tokenId/series', auth: 'optional' },
  input: {
    params: Type.Object({ tokenId: TokenReference }),
    query: Type.Object(
      {
        by: Type.Optional({ ...By, default: 'day' }),
        limit: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: MAX.day,
            description: `Default ${USUAL.day} by day and ${USUAL.run} by run; at most ${MAX.run} by run.`,
          }),
        ),
      },
      { additionalProperties: false },
    ),
  },
  output: Type.Object({
    tokenId: Uuid,
    by: By,
    points: Type.Array(Point),
  }),
  rejections: ['TOKEN_NOT_FOUND', 'STORE_UNAVAILABLE'],
  async answer({ params, query: { by = 'day', limit } }, { services: { readModel }, call: { actor } }) {
    const { tokenId, hidden } = await visibleDistribution(readModel, params.tokenId, actor);
    const most = Math.min(limit ?? USUAL[by], MAX[by]);
    const points =
      by === 'day' ? await byDay(readModel, tokenId, most) : await byRun(readModel, tokenId, most);
    const answer = { tokenId, by, points };
    return new TaggedAnswer(answer, hidden ? 'revalidated' : 'public');
  },
});

type Point = Static<typeof Point>;

async function byDay(readModel: ReadModel, tokenId: string, limit: number): Promise<Point[]> {
  const found = await readModel.find(distributionDays, 'token', tokenId, { limit, descending: true });
  return found.map(pointOfDay).reverse();
}

function pointOfDay(document: DistributionDayDocument): Point {
  return pointOf(`${document.day}T00:00:00.000Z`, document);
}

async function byRun(readModel: ReadModel, tokenId: string, limit: number): Promise<Point[]> {
  // Read one more, since the newest run may be open.
  const newest = { limit: limit + 1, descending: true };
  const found = await readModel.find(distributionRuns, 'token', tokenId, newest);
  return found.flatMap(pointOfRun).slice(0, limit).reverse();
}

/** Empty for an open run. */
function pointOfRun({ number, asset, closedAt, closed }: DistributionRunDocument): Point[] {
  if (closed === null || closedAt === null) return [];
  return [{ ...pointOf(closedAt, sumsOfRun({ asset, ...closed })), number }];
}

function pointOf(at: string, sums: RunSums): Point {
  const { runs, collected, burned, sold, proceeds, paidTo, holdersPaid } = sums;
  return {
    at,
    runCount: runs,
    collected,
    burned,
    sold,
    proceeds,
    paidTo: paidPartsView(paidTo),
    paymentsToHolders: holdersPaid,
  };
}
