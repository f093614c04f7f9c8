/** Returns the expected result of a run opened now, and the calling wallet's payment. Records and sends nothing. */
import { Type } from '@sinclair/typebox';
import { DistributionPreview, type PreviewServices } from '../distribution/previews.ts';
import { queriesFor } from '../kernel/runtime/define-query.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { rejection } from '../streams/rejections.ts';
import { visibleDistribution } from '../views/distribution-access.ts';
import { TokenReference } from '../views/token-access.ts';

export const previewRun = queriesFor<RuntimeServices & PreviewServices>()({
  name: 'PreviewRun',
  summary: 'Preview a run',
  description:
    'Returns the uncollected tax, its division, and the payment to the calling wallet under the current settings, ' +
    'owners and price. The balances of the next run may differ.',
  route: { method: 'GET', url: '/distribution/:tokenId/preview', auth: 'wallet', limit: 'preview' },
  input: { params: Type.Object({ tokenId: TokenReference }) },
  output: DistributionPreview,
  rejections: [
    'TOKEN_NOT_FOUND',
    'PREVIEW_UNAVAILABLE',
    'CHAIN_UNAVAILABLE',
    'LEDGER_UNAVAILABLE',
    'LEDGER_CORRUPT',
    'STORE_UNAVAILABLE',
  ],
  async answer({ params }, { services: { readModel, distributionPreviews }, call: { actor } }) {
    const { tokenId } = await visibleDistribution(readModel, params.tokenId, actor);
    if (distributionPreviews === undefined)
      throw rejection('PREVIEW_UNAVAILABLE', 'Previews are not available on this deployment.');
    return distributionPreviews.of(tokenId, actor);
  },
});
