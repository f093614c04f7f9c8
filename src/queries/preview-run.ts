/** What a run of a token would do now, for its creator alone. Nothing is recorded or sent. */
import { Type } from '@sinclair/typebox';
import { DistributionPreview, type PreviewServices } from '../distribution/previews.ts';
import { queriesFor } from '../kernel/runtime/define-query.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { distributions } from '../projections/distributions.ts';
import { rejection } from '../streams/rejections.ts';
import { requireCreator, TokenReference, tokenIdOf } from '../views/token-access.ts';

export const previewRun = queriesFor<RuntimeServices & PreviewServices>()({
  name: 'PreviewRun',
  summary: 'See what a run would do now',
  description:
    'By the present settings, owners and price. The real run comes later, and finds other balances.',
  route: { method: 'GET', url: '/distribution/:tokenId/preview', auth: 'wallet', limit: 'preview' },
  input: { params: Type.Object({ tokenId: TokenReference }) },
  output: DistributionPreview,
  rejections: [
    'TOKEN_NOT_FOUND',
    'NOT_TOKEN_CREATOR',
    'PREVIEW_UNAVAILABLE',
    'CHAIN_UNAVAILABLE',
    'LEDGER_UNAVAILABLE',
    'LEDGER_CORRUPT',
    'STORE_UNAVAILABLE',
  ],
  async answer({ params }, { services: { readModel, distributionPreviews }, call }) {
    const { tokenId } = requireCreator(
      await readModel.get(distributions, tokenIdOf(params.tokenId)),
      call.actor,
    );
    if (distributionPreviews === undefined)
      throw rejection('PREVIEW_UNAVAILABLE', 'This deployment makes no previews.');
    return distributionPreviews.of(tokenId);
  },
});
