/** Returns a run of a token's distribution: its pinned settings, both sides of every equation, and its files. */
import { Type } from '@sinclair/typebox';
import type { LedgerServices } from '../distribution/ledger/open-ledgers.ts';
import type { DistributionServices } from '../distribution/services.ts';
import { queriesFor, TaggedAnswer } from '../kernel/runtime/define-query.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { cachingOf, haltOfAll, visibleRun } from '../views/distribution-access.ts';
import { RunPage, runPage } from '../views/run-views.ts';
import { TokenReference } from '../views/token-access.ts';

export const getRun = queriesFor<
  RuntimeServices & DistributionServices & Pick<LedgerServices, 'publicUrl'>
>()({
  name: 'GetRun',
  summary: "Get a run of a token's distribution",
  description: 'A closed run never changes and may be cached permanently.',
  route: { method: 'GET', url: '/distribution/:tokenId/runs/:runId', auth: 'optional' },
  input: { params: Type.Object({ tokenId: TokenReference, runId: Uuid }) },
  output: Type.Object({ run: RunPage }),
  rejections: ['TOKEN_NOT_FOUND', 'RUN_NOT_FOUND', 'STORE_UNAVAILABLE'],
  async answer({ params }, { services, call: { actor } }) {
    const { readModel, publicUrl, distributionProgress, clock } = services;
    const { distribution, run } = await visibleRun(readModel, params, actor);
    const isHalted = distribution.halted !== null || (await haltOfAll(readModel)) !== undefined;
    const answer = {
      run: runPage(run, {
        isHalted,
        waitingFor: distributionProgress()?.of(run.tokenId)?.waitingFor,
        now: clock.now(),
        urlOf: (sha256) => `${publicUrl()}/files/${sha256}`,
      }),
    };
    return new TaggedAnswer(answer, cachingOf(distribution, run));
  },
});
