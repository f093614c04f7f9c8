/** Lists the runs of a token's distribution, newest first. */
import { type Static, Type } from '@sinclair/typebox';
import type { ReadModel } from '../kernel/ports/read-model.ts';
import { queriesFor, TaggedAnswer } from '../kernel/runtime/define-query.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { distributionRuns } from '../projections/distribution-runs.ts';
import type { DistributionDocument } from '../projections/distributions.ts';
import { haltOfAll, visibleDistribution } from '../views/distribution-access.ts';
import { RunCard, runCard } from '../views/run-card.ts';
import { TokenReference } from '../views/token-access.ts';
import { CursorQuery, cutPage, Next, unknownCursorRejection } from './pages.ts';

export const RunsPage = Type.Object({
  runs: Type.Array(RunCard),
  next: Next,
});

/** Rejects with `VALIDATION_FAILED` if `after` is not a run of the token. */
export async function runsPage(
  readModel: ReadModel,
  { tokenId, halted }: Pick<DistributionDocument, 'tokenId' | 'halted'>,
  { after, limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<Static<typeof RunsPage>> {
  if (after !== undefined && (await readModel.get(distributionRuns, after))?.tokenId !== tokenId)
    throw unknownCursorRejection('run');
  const found = await readModel.find(distributionRuns, 'token', tokenId, {
    limit: limit + 1,
    descending: true,
    after,
  });
  const isHalted = halted !== null || (await haltOfAll(readModel)) !== undefined;
  const { shown, next } = cutPage(found, limit, ({ runId }) => runId);
  return { runs: shown.map((run) => runCard(run, isHalted)), next };
}

export const listRuns = queriesFor<RuntimeServices>()({
  name: 'ListRuns',
  summary: "List the runs of a token's distribution",
  description: 'Newest first.',
  route: { method: 'GET', url: '/distribution/:tokenId/runs', auth: 'optional' },
  input: {
    params: Type.Object({ tokenId: TokenReference }),
    query: Type.Object(CursorQuery, { additionalProperties: false }),
  },
  output: RunsPage,
  rejections: ['TOKEN_NOT_FOUND', 'STORE_UNAVAILABLE'],
  async answer({ params, query: { after, limit = 20 } }, { services: { readModel }, call: { actor } }) {
    const distribution = await visibleDistribution(readModel, params.tokenId, actor);
    const answer = await runsPage(readModel, distribution, { after, limit });
    return new TaggedAnswer(answer);
  },
});
