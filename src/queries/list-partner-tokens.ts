/** The tokens whose drafts were asked for with a partner's key, newest first, for that partner. */
import { Type } from '@sinclair/typebox';
import { queriesFor } from '../kernel/runtime/define-query.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { filterValue } from '../projections/token-orders.ts';
import { storedCard, tokens } from '../projections/tokens.ts';
import { rejection } from '../streams/rejections.ts';
import { tokenCard } from '../views/token-card.ts';
import { TokenCard } from '../views/token-views.ts';
import { cutPage } from './pages.ts';
import { surroundingsAt } from './surroundings.ts';

export const listPartnerTokens = queriesFor<RuntimeServices>()({
  name: 'ListPartnerTokens',
  summary: "List a partner's tokens",
  description:
    'The visible tokens whose drafts were asked for with a key of the calling partner, newest first. `GET /tokens?partner=` ' +
    'shows the same to everybody.',
  route: { method: 'GET', url: '/partner/tokens', auth: 'partner' },
  input: {
    query: Type.Object(
      {
        after: Type.Optional(Type.String({ ...Uuid, description: '`next` of the page before.' })),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
      },
      { additionalProperties: false },
    ),
  },
  output: Type.Object({
    tokens: Type.Array(TokenCard),
    next: Type.Union([Uuid, Type.Null()], {
      description: 'Send it as `after` to get the next page; null at the end.',
    }),
  }),
  rejections: ['STORE_UNAVAILABLE'],
  async answer({ query: { after, limit = 20 } }, { services: { readModel, clock }, call: { partner = '' } }) {
    if (after !== undefined && (await readModel.get(tokens, after))?.partner !== partner) {
      throw rejection('VALIDATION_FAILED', 'There is no page after this token.', {
        details: [{ path: ['after'], message: 'must be `next` of the page before' }],
      });
    }
    const found = await readModel.find(tokens, 'filter', filterValue({ partner }), {
      limit: limit + 1,
      newestFirst: true,
      ...(after === undefined ? {} : { after }),
    });
    const surroundings = await surroundingsAt(readModel, clock.now());
    const { shown, next } = cutPage(found, limit, ({ id }) => id);
    return {
      tokens: shown.map((document) => tokenCard(storedCard(document), surroundings)),
      next,
    };
  },
});
