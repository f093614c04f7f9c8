/** The owners whom a token's creator keeps out of its distribution, and the programs' accounts that are listed in. */
import { Type } from '@sinclair/typebox';
import { queriesFor, TaggedAnswer } from '../kernel/runtime/define-query.ts';
import { entityTagOf } from '../kernel/runtime/entity-tag.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { distributionOwners } from '../projections/distribution-owners.ts';
import { visibleDistribution } from '../views/distribution-access.ts';
import { OwnersView, ownersView } from '../views/owners-view.ts';
import { TokenReference } from '../views/token-access.ts';

export const getOwners = queriesFor<RuntimeServices>()({
  name: 'GetOwners',
  summary: "Get the owners who are kept out of a token's distribution or listed in",
  description:
    "Which wallets the creator keeps out of the distribution, and which programs' accounts are listed in. Public: " +
    'holders may check why a wallet gets nothing.',
  route: { method: 'GET', url: '/distribution/:tokenId/owners', auth: 'optional' },
  input: { params: Type.Object({ tokenId: TokenReference }) },
  output: OwnersView,
  tagged: true,
  rejections: ['TOKEN_NOT_FOUND', 'STORE_UNAVAILABLE'],
  async answer({ params }, { services: { readModel }, call: { actor } }) {
    const { tokenId } = await visibleDistribution(readModel, params.tokenId, actor);
    const document = await readModel.get(distributionOwners, tokenId);
    const view = ownersView(document?.lists ?? []);
    return new TaggedAnswer(view, entityTagOf(view));
  },
});
