/** Returns a token's distribution settings to its creator. */

import { Type } from '@sinclair/typebox';
import { queriesFor, TaggedAnswer } from '../kernel/runtime/define-query.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { distributionSettings } from '../projections/distribution-settings.ts';
import { SettingsView } from '../streams/distribution-settings.ts';
import { requireCreator, TokenReference, tokenIdOf } from '../views/token-access.ts';

export const getSettings = queriesFor<RuntimeServices>()({
  name: 'GetSettings',
  summary: "Get a token's distribution settings",
  description:
    "Only for the token's creator. Send the response's `ETag` as `If-Match` with a change, so that no concurrent " +
    'change is lost.',
  route: { method: 'GET', url: '/distribution/:tokenId/settings', auth: 'wallet' },
  input: { params: Type.Object({ tokenId: TokenReference }) },
  output: SettingsView,
  tagged: true,
  rejections: ['TOKEN_NOT_FOUND', 'NOT_TOKEN_CREATOR', 'STORE_UNAVAILABLE'],
  async answer({ params }, { services: { readModel }, call }) {
    const found = await readModel.get(distributionSettings, tokenIdOf(params.tokenId));
    const { settings } = requireCreator(found, call.actor);
    return new TaggedAnswer(settings);
  },
});
