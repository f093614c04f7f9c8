/** Lists the tokens whose drafts were requested with a partner's key, newest first, for that partner. */
import { Type } from '@sinclair/typebox';
import { queriesFor } from '../kernel/runtime/define-query.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { filterValue, storedCard, tokens } from '../projections/tokens.ts';
import { tokenCard } from '../views/token-card.ts';
import { TokenCard } from '../views/token-views.ts';
import { listContextAt } from './list-context.ts';
import { CursorQuery, cutPage, Next, unknownCursorRejection } from './pages.ts';

export const listPartnerTokens = queriesFor<RuntimeServices>()({
  name: 'ListPartnerTokens',
  summary: "List a partner's tokens",
  description:
    'The visible tokens whose drafts were requested with a key of the calling partner, newest first. `GET ' +
    '/tokens?partner=` is the public form.',
  route: { method: 'GET', url: '/partner/tokens', auth: 'partner' },
  input: {
    query: Type.Object(CursorQuery, { additionalProperties: false }),
  },
  output: Type.Object({
    tokens: Type.Array(TokenCard),
    next: Next,
  }),
  rejections: ['STORE_UNAVAILABLE'],
  async answer({ query: { after, limit = 20 } }, { services: { readModel, clock }, call: { partner = '' } }) {
    if (after !== undefined && (await readModel.get(tokens, after))?.partner !== partner)
      throw unknownCursorRejection('token');
    const found = await readModel.find(tokens, 'filter', filterValue({ partner }), {
      limit: limit + 1,
      descending: true,
      after,
    });
    const surroundings = await listContextAt(readModel, clock.now());
    const { shown, next } = cutPage(found, limit, ({ id }) => id);
    return {
      tokens: shown.map((document) => tokenCard(storedCard(document), surroundings)),
      next,
    };
  },
});
