/** Returns the expected result of a run opened now, only for the token's creator. Records and sends nothing. */
import { Type } from '@sinclair/typebox';
import { DistributionPreview, type PreviewServices } from '../distribution/previews.ts';
import { queriesFor } from '../kernel/runtime/define-query.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { distributions } from '../projections/distributions.ts';
import { rejection } from '../streams/rejections.ts';
import { requireCreator, TokenReference, tokenIdOf } from '../views/token-access.ts';

export const previewRun = queriesFor<RuntimeServices & PreviewServices>()({
  name: 'PreviewRun',
  summary: 'Preview a run',
  description: 'Uses the current settings, owners and price. The balances of the next run may differ.',
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
      throw rejection('PREVIEW_UNAVAILABLE', 'Previews are not available on this deployment.');
    return distributionPreviews.of(tokenId);
  },
});
