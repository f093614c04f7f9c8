/** Who changed a token's distribution settings, when, from what and to what; newest first, for its creator alone. */

import { Type } from '@sinclair/typebox';
import { JsonText, queriesFor } from '../kernel/runtime/define-query.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { distributionSettings } from '../projections/distribution-settings.ts';
import { settingsChanges } from '../projections/settings-changes.ts';
import { SettingsView } from '../streams/distribution-settings.ts';
import { Address, Timestamp } from '../streams/values.ts';
import { requireCreator, TokenReference, tokenIdOf } from '../views/token-access.ts';
import { PageQuery, Pagination, paginationOf, stretchOf } from './pages.ts';

const SomeOfTheSettings = Type.Partial(SettingsView, { title: 'SomeDistributionSettings' });

export const listSettingsChanges = queriesFor<RuntimeServices>()({
  name: 'ListSettingsChanges',
  summary: "List the changes of a token's distribution settings",
  description:
    'Newest first. Laid one over the other from the oldest on, what each holds in `to` gives the settings.',
  route: { method: 'GET', url: '/distribution/:tokenId/settings/history', auth: 'wallet' },
  input: {
    params: Type.Object({ tokenId: TokenReference }),
    query: Type.Object(PageQuery, { additionalProperties: false }),
  },
  output: Type.Object({
    changes: Type.Array(
      Type.Object(
        {
          position: Type.String({ description: 'As in `X-Position`; later changes compare greater.' }),
          changedAt: Timestamp,
          changedBy: Address,
          from: Type.Union([SomeOfTheSettings, Type.Null()], {
            description: 'What changed, as it was; null in the first entry: what the token was created with.',
          }),
          to: SomeOfTheSettings,
        },
        {
          title: 'SettingsChange',
          examples: [
            {
              position: '00000000000000000042',
              changedAt: '2026-11-21T12:00:42.000Z',
              changedBy: '67aUmvMbgSSnoJVKRifu2SbxdaxJ7rX5tt8MHUbKLGLj',
              from: { burnPercent: 10, telegramGroupId: null },
              to: { burnPercent: 12.5, telegramGroupId: '-1001234567890' },
            },
          ],
        },
      ),
    ),
    pagination: Pagination,
  }),
  rejections: ['TOKEN_NOT_FOUND', 'NOT_TOKEN_CREATOR', 'STORE_UNAVAILABLE'],
  async answer({ params, query }, { services: { readModel }, call }) {
    const found = await readModel.get(distributionSettings, tokenIdOf(params.tokenId));
    const { tokenId } = requireCreator(found, call.actor);
    const { items, total } = await readModel.page(settingsChanges, 'token', tokenId, {
      view: 'entry',
      ...stretchOf(query),
    });
    const pagination = JSON.stringify(paginationOf(query, total));
    return new JsonText(`{"changes":[${items.join(',')}],"pagination":${pagination}}`);
  },
});
