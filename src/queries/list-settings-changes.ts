/** Who changed a token's distribution settings, when, from what and to what; newest first, for its creator alone. */
import { Type } from '@sinclair/typebox';
import { distributionSettings } from '../projections/distribution-settings.ts';
import { settingsChanges } from '../projections/settings-changes.ts';
import { JsonText } from '../runtime/define-query.ts';
import { defineQuery } from '../services.ts';
import { SettingsView } from '../streams/distribution-settings.ts';
import { requireCreator, TokenReference, tokenIdOf } from '../streams/token-access.ts';
import { Address, Timestamp } from '../streams/values.ts';
import { PageQuery, Pagination, paginationOf, stretchOf } from './pages.ts';

const SomeOfTheSettings = Type.Partial(SettingsView);

export const listSettingsChanges = defineQuery({
  name: 'ListSettingsChanges',
  summary: "List the changes of a token's distribution settings",
  route: { method: 'GET', url: '/distribution/:tokenId/settings/history', auth: 'wallet' },
  input: {
    params: Type.Object({ tokenId: TokenReference }),
    query: Type.Object(PageQuery, { additionalProperties: false }),
  },
  output: Type.Object({
    changes: Type.Array(
      Type.Object({
        position: Type.String({ description: 'As in `X-Position`; later changes compare greater.' }),
        changedAt: Timestamp,
        changedBy: Address,
        from: Type.Union([SomeOfTheSettings, Type.Null()], {
          description:
            'What changed, as it was; null in the first entry, the settings that it was created with.',
        }),
        to: SomeOfTheSettings,
      }),
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
