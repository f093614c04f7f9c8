/** Returns the owners that a token's creator excludes from its distribution, and the program accounts that it allows. */
import { Type } from '@sinclair/typebox';
import { queriesFor, TaggedAnswer } from '../kernel/runtime/define-query.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { distributionOwners } from '../projections/distribution-owners.ts';
import { visibleDistribution } from '../views/distribution-access.ts';
import { OwnersView, ownersView } from '../views/owners-view.ts';
import { TokenReference } from '../views/token-access.ts';

export const getOwners = queriesFor<RuntimeServices>()({
  name: 'GetOwners',
  summary: "Get the excluded and the allow-listed owners of a token's distribution",
  description:
    'The wallets that the creator excludes from the distribution, and the program accounts that it allows. ' +
    'Public, so that holders can check why a wallet gets nothing.',
  route: { method: 'GET', url: '/distribution/:tokenId/owners', auth: 'optional' },
  input: { params: Type.Object({ tokenId: TokenReference }) },
  output: OwnersView,
  rejections: ['TOKEN_NOT_FOUND', 'STORE_UNAVAILABLE'],
  async answer({ params }, { services: { readModel }, call: { actor } }) {
    const { tokenId } = await visibleDistribution(readModel, params.tokenId, actor);
    const document = await readModel.get(distributionOwners, tokenId);
    const view = ownersView(document?.lists ?? []);
    return new TaggedAnswer(view);
  },
});
