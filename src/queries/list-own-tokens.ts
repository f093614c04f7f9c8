/** Lists the signed-in wallet's tokens, newest first, including hidden ones. */

import { Type } from '@sinclair/typebox';
import { queriesFor } from '../kernel/runtime/define-query.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { tokens } from '../projections/tokens.ts';
import { OwnToken } from '../views/token-views.ts';
import { CursorQuery, cutPage, Next, unknownCursorRejection } from './pages.ts';

export const listOwnTokens = queriesFor<RuntimeServices>()({
  name: 'ListOwnTokens',
  summary: 'List your own tokens',
  description: 'The tokens that the signed-in wallet created, newest first, including hidden ones.',
  route: { method: 'GET', url: '/tokens/me', auth: 'wallet' },
  input: {
    query: Type.Object(
      {
        after: CursorQuery.after,
        limit: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 100, description: 'All tokens if absent.' }),
        ),
      },
      { additionalProperties: false },
    ),
  },
  output: Type.Object({
    tokens: Type.Array(OwnToken),
    next: Next,
  }),
  rejections: ['STORE_UNAVAILABLE'],
  async answer(
    { query: { after, limit = Number.POSITIVE_INFINITY } },
    { services: { readModel }, call: { actor } },
  ) {
    if (after !== undefined && (await readModel.get(tokens, after))?.creator !== actor)
      throw unknownCursorRejection('token');
    const found = await readModel.find(tokens, 'creator', actor, {
      descending: true,
      limit: Number.isFinite(limit) ? limit + 1 : undefined,
      after,
    });
    const { shown, next } = cutPage(found, limit, ({ id }) => id);
    return {
      tokens: shown.map(
        ({ id, mintAddress, name, symbol, imageUri, distributionEnabled, createdAt, hidden }) => ({
          id,
          mintAddress,
          name,
          symbol,
          imageUri,
          distributionEnabled,
          createdAt,
          ...(hidden ? { hidden: true as const } : {}),
        }),
      ),
      next,
    };
  },
});
