/** The tokens that operators hide, by whom and why. */

import { Type } from '@sinclair/typebox';
import { JsonText, queriesFor } from '../kernel/runtime/define-query.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { tokens } from '../projections/tokens.ts';
import { Address, Timestamp } from '../streams/values.ts';
import { PageQuery, Pagination, paginationOf, stretchOf } from './pages.ts';

export const listHiddenTokens = queriesFor<RuntimeServices>()({
  name: 'ListHiddenTokens',
  summary: 'List hidden tokens',
  description: 'Which tokens operators keep out of the public lists, who hid each, and why.',
  route: { method: 'GET', url: '/operator/tokens', auth: 'operator', limit: 'operator' },
  input: { query: Type.Object(PageQuery, { additionalProperties: false }) },
  output: Type.Object({
    tokens: Type.Array(
      Type.Object({
        tokenId: Uuid,
        mintAddress: Address,
        name: Type.String({ examples: ['Sunrise'] }),
        symbol: Type.String({ examples: ['SUN'] }),
        imageUri: Type.String({
          examples: [
            'https://levy.example/images/bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy.jpg',
          ],
        }),
        creator: Address,
        createdAt: Timestamp,
        hidden: Type.Object({
          reason: Type.String({ examples: ['Impersonates another token.'] }),
          by: Type.String({ description: "The operator's name.", examples: ['alice'] }),
          since: Timestamp,
        }),
      }),
    ),
    pagination: Pagination,
  }),
  rejections: ['STORE_UNAVAILABLE'],
  async answer({ query }, { services: { readModel } }) {
    const { items, total } = await readModel.page(tokens, 'hidden', '', {
      view: 'hidden',
      ...stretchOf(query),
    });
    return new JsonText(
      `{"tokens":[${items.join(',')}],"pagination":${JSON.stringify(paginationOf(query, total))}}`,
    );
  },
});
