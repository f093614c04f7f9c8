/** Lists the tokens that operators have hidden, with operator and reason. */

import { Type } from '@sinclair/typebox';
import { queriesFor, RawAnswer } from '../kernel/runtime/define-query.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { tokens } from '../projections/tokens.ts';
import { TokenCreation } from '../streams/purposes/token-creation.ts';
import { Address, Timestamp } from '../streams/value-types.ts';
import {
  cutPage,
  numberedPage,
  numberedPages,
  Pagination,
  paginationOf,
  rangeOf,
  unknownCursorRejection,
} from './pages.ts';

const { name, symbol, imageUri } = TokenCreation.properties;

const pages = numberedPages(Uuid);

export const listHiddenTokens = queriesFor<RuntimeServices>()({
  name: 'ListHiddenTokens',
  summary: 'List hidden tokens',
  description:
    'Tokens that operators have hidden from the public lists, with operator and reason; newest first.',
  route: { method: 'GET', url: '/operator/tokens', auth: 'operator', limit: 'operator' },
  input: { query: Type.Object(pages.query, { additionalProperties: false }) },
  output: Type.Object({
    tokens: Type.Array(
      Type.Object({
        tokenId: Uuid,
        mintAddress: Address,
        name,
        symbol,
        imageUri,
        creator: Address,
        createdAt: Timestamp,
        hiddenAt: Timestamp,
        hiddenBy: Type.String({ description: "The operator's name.", examples: ['alice'] }),
        reason: Type.String({ examples: ['Impersonates another token.'] }),
      }),
    ),
    pagination: Pagination,
    next: pages.next,
  }),
  rejections: ['SERVICE_BUSY', 'STORE_UNAVAILABLE'],
  async answer({ query }, { services: { readModel } }) {
    if (query.after !== undefined && (await readModel.get(tokens, query.after)) === undefined)
      throw unknownCursorRejection('token');
    const { offset, limit } = rangeOf(query);
    const { items, total } = await numberedPage(readModel, tokens, 'hidden', '', {
      view: 'hidden',
      offset,
      limit: limit + 1,
      after: query.after,
    });
    const { shown, next } = cutPage(items, limit, (item) => JSON.parse(item).tokenId);
    const rest = JSON.stringify({ pagination: paginationOf(query, total), next });
    return new RawAnswer(`{"tokens":[${shown.join(',')}],${rest.slice(1)}`);
  },
});
