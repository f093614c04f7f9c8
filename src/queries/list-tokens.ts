/** A page of all visible tokens, newest first, joined from JSON that was rendered when the tokens changed. */

import { Type } from '@sinclair/typebox';
import { parseAddress } from '../chain/wallet-key.ts';
import { JsonText, queriesFor } from '../kernel/runtime/define-query.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { tokens } from '../projections/tokens.ts';
import { rejection } from '../streams/rejections.ts';
import { TokenCard } from '../views/token-views.ts';
import { PageQuery, Pagination, paginationOf, stretchOf } from './pages.ts';

/** A search reads only its first matches, so that a single letter costs no more than a name. */
const MATCHES_LOOKED_AT = 10_000;

export const listTokens = queriesFor<RuntimeServices>()({
  name: 'ListTokens',
  summary: 'List tokens',
  description:
    'All visible tokens, newest first. A page past the end is an empty list. A search reads its first 10,000 ' +
    'matches.',
  route: { method: 'GET', url: '/tokens', auth: 'none' },
  input: {
    query: Type.Object(
      {
        ...PageQuery,
        search: Type.Optional(
          Type.String({ minLength: 1, maxLength: 64, description: 'Start of a name or symbol.' }),
        ),
        creator: Type.Optional(
          Type.String({ minLength: 32, maxLength: 44, description: "The creator's address." }),
        ),
      },
      { additionalProperties: false },
    ),
  },
  output: Type.Object({
    tokens: Type.Array(TokenCard),
    pagination: Pagination,
  }),
  rejections: ['INVALID_ADDRESS', 'STORE_UNAVAILABLE'],
  async answer({ query }, { services: { readModel } }) {
    const { search, creator } = query;
    if (creator !== undefined && parseAddress(creator) === undefined) {
      throw rejection('INVALID_ADDRESS', 'The creator is not a valid address.', {
        details: [{ path: ['creator'], message: 'must be 32 bytes in base58' }],
      });
    }
    const list = creator === undefined ? 'all' : 'creator';
    const stretch = { view: 'card', ...stretchOf(query) };
    const prefix = search?.trim() ?? '';
    const { items, total } =
      prefix === ''
        ? await readModel.page(tokens, list, creator ?? '', stretch)
        : await readModel.search(tokens, list, creator ?? '', {
            ...stretch,
            prefix,
            matchLimit: MATCHES_LOOKED_AT,
          });
    const pagination = JSON.stringify(paginationOf(query, total));
    return new JsonText(`{"tokens":[${joined(items)}],"pagination":${pagination}}`);
  },
});

/** A read model that keeps a page returns the same items again, which need not be joined again. */
const texts = new WeakMap<readonly string[], string>();

function joined(items: readonly string[]): string {
  const known = texts.get(items);
  if (known !== undefined) return known;
  const text = items.join(',');
  texts.set(items, text);
  return text;
}
