/**
 * Lists the changes of a token's distribution settings with author, time, old and new values; newest first, only for its
 * creator.
 */

import { Type } from '@sinclair/typebox';
import type { ReadModel } from '../kernel/ports/read-model.ts';
import { queriesFor } from '../kernel/runtime/define-query.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { distributionSettings } from '../projections/distribution-settings.ts';
import { changeEntry, settingsChanges } from '../projections/settings-changes.ts';
import { SettingsView } from '../streams/distribution-settings.ts';
import { Address, orNull, Timestamp } from '../streams/value-types.ts';
import { requireCreator, TokenReference, tokenIdOf } from '../views/token-access.ts';
import {
  cutPage,
  numberedPage,
  numberedPages,
  Pagination,
  paginationOf,
  rangeOf,
  unknownCursorRejection,
} from './pages.ts';

const Position = Type.String({ pattern: '^[\\w.:-]{1,64}$', examples: ['00000000000000000042'] });

const pages = numberedPages(Position);

const SomeOfTheSettings = Type.Partial(SettingsView, { title: 'SomeDistributionSettings' });

export const listSettingsChanges = queriesFor<RuntimeServices>()({
  name: 'ListSettingsChanges',
  summary: "List the changes of a token's distribution settings",
  description: 'Newest first. Applying `after` of each change, oldest first, gives the current settings.',
  route: { method: 'GET', url: '/distribution/:tokenId/settings/history', auth: 'wallet' },
  input: {
    params: Type.Object({ tokenId: TokenReference }),
    query: Type.Object(pages.query, { additionalProperties: false }),
  },
  output: Type.Object({
    changes: Type.Array(
      Type.Object(
        {
          position: Type.String({
            description: 'Position of the change, as in `X-Position`; later changes compare greater.',
          }),
          changedAt: Timestamp,
          changedBy: Address,
          before: orNull(SomeOfTheSettings, {
            description:
              'Previous values of the changed settings; null in the oldest entry, which has the initial settings.',
          }),
          after: SomeOfTheSettings,
        },
        {
          title: 'SettingsChange',
          examples: [
            {
              position: '00000000000000000042',
              changedAt: '2026-11-21T12:00:42.000Z',
              changedBy: '67aUmvMbgSSnoJVKRifu2SbxdaxJ7rX5tt8MHUbKLGLj',
              before: { burnPercent: 10, telegramGroupId: null },
              after: { burnPercent: 12.5, telegramGroupId: '-1001234567890' },
            },
          ],
        },
      ),
    ),
    pagination: Pagination,
    next: pages.next,
  }),
  rejections: ['TOKEN_NOT_FOUND', 'NOT_TOKEN_CREATOR', 'STORE_UNAVAILABLE'],
  async answer({ params, query }, { services: { readModel }, call }) {
    const settings = await readModel.get(distributionSettings, tokenIdOf(params.tokenId));
    const { tokenId } = requireCreator(settings, call.actor);
    const { after } = query;
    const { offset, limit } = rangeOf(query);
    const { items, total } = await numberedPage(readModel, settingsChanges, 'token', tokenId, {
      view: 'entry',
      offset,
      // A call with a cursor needs only the newest entry and the total of this page.
      limit: after === undefined ? limit + 1 : 1,
    });
    const newest = items.map((item): Entry => JSON.parse(item));
    if (after !== undefined && !(after <= (newest[0]?.position ?? '')))
      throw unknownCursorRejection('change');
    const found = after === undefined ? newest : await olderThan(readModel, tokenId, after, limit + 1);
    const { shown, next } = cutPage(found, limit, ({ position }) => position);
    return { changes: [...shown], pagination: paginationOf(query, total), next };
  },
});

type Entry = ReturnType<typeof changeEntry>;

async function olderThan(
  readModel: ReadModel,
  tokenId: string,
  position: string,
  limit: number,
): Promise<readonly Entry[]> {
  const found = await readModel.find(settingsChanges, 'token', tokenId, {
    limit,
    descending: true,
    after: { place: position },
  });
  return found.map(changeEntry);
}
