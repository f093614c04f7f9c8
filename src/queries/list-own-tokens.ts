/** The signed-in wallet's tokens, newest first, including hidden ones. */

import { Type } from '@sinclair/typebox';
import { queriesFor } from '../kernel/runtime/define-query.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { tokens } from '../projections/tokens.ts';
import { OwnToken } from '../views/token-views.ts';

export const listOwnTokens = queriesFor<RuntimeServices>()({
  name: 'ListOwnTokens',
  summary: 'List your own tokens',
  description:
    'The tokens that the signed-in wallet created, newest first, those that operators hide included.',
  route: { method: 'GET', url: '/tokens/me', auth: 'wallet' },
  input: {},
  output: Type.Object({ tokens: Type.Array(OwnToken) }),
  rejections: ['STORE_UNAVAILABLE'],
  async answer(_input, { services: { readModel }, call: { actor } }) {
    const own = await readModel.find(tokens, 'creator', actor, { newestFirst: true });
    return {
      tokens: own.map(
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
    };
  },
});
