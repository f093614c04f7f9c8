/** A page of all visible tokens, newest first. */

import { Type } from '@sinclair/typebox';
import { parseAddress } from '../chain/wallet-key.ts';
import { JsonText, queriesFor } from '../kernel/runtime/define-query.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { type StoredCard, tokens } from '../projections/tokens.ts';
import { rejection } from '../streams/rejections.ts';
import { cardsStayUntil, type Surroundings, tokenCard } from '../views/token-card.ts';
import { TokenCard } from '../views/token-views.ts';
import { PageQuery, Pagination, paginationOf, stretchOf } from './pages.ts';
import { surroundingsAt } from './surroundings.ts';

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
        partner: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 32,
            description: 'The partner whose key made them; not together with `creator`.',
            examples: ['acme'],
          }),
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
  async answer({ query }, { services: { readModel, clock } }) {
    const { search, creator, partner } = query;
    if (creator !== undefined && parseAddress(creator) === undefined) {
      throw rejection('INVALID_ADDRESS', 'The creator is not a valid address.', {
        details: [{ path: ['creator'], message: 'must be 32 bytes in base58' }],
      });
    }
    if (creator !== undefined && partner !== undefined) {
      throw rejection('VALIDATION_FAILED', 'Ask for the tokens of a creator, or for those of a partner.', {
        details: [{ path: ['partner'], message: 'must not stand beside creator' }],
      });
    }
    const list = creator !== undefined ? 'creator' : partner !== undefined ? 'partner' : 'all';
    const partition = creator ?? partner ?? '';
    const stretch = { view: 'card', ...stretchOf(query) };
    const prefix = search?.trim() ?? '';
    const { items, total } =
      prefix === ''
        ? await readModel.page(tokens, list, partition, stretch)
        : await readModel.search(tokens, list, partition, {
            ...stretch,
            prefix,
            matchLimit: MATCHES_LOOKED_AT,
          });
    const pagination = JSON.stringify(paginationOf(query, total));
    const cards = rendered(items, await surroundingsAt(readModel, clock.now()));
    return new JsonText(`{"tokens":[${cards}],"pagination":${pagination}}`);
  },
});

/** A page as it was rendered last. */
interface Rendered {
  readonly text: string;
  readonly allHalted: Surroundings['allHalted'];
  readonly featured: Surroundings['featured'];
  /** Milliseconds: the clock may have been set back. */
  readonly from: number;
  readonly until: number;
}

/** A read model that keeps a page returns the same items again: they are rendered again only when something changes. */
const latest = new WeakMap<readonly string[], Rendered>();

function rendered(items: readonly string[], surroundings: Surroundings): string {
  const { allHalted, featured, now } = surroundings;
  const before = latest.get(items);
  const isStill =
    before?.allHalted === allHalted &&
    before?.featured === featured &&
    before !== undefined &&
    before.from <= now.getTime() &&
    now.getTime() < before.until;
  if (isStill) return before.text;
  const cards = items.map((item) => JSON.parse(item) as StoredCard);
  const text = cards.map((card) => JSON.stringify(tokenCard(card, surroundings))).join(',');
  latest.set(items, {
    text,
    allHalted,
    featured,
    from: now.getTime(),
    until: cardsStayUntil(cards, surroundings),
  });
  return text;
}
