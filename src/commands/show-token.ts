/** Puts a hidden token back into its old place in the lists; a token that is not hidden records nothing. */

import { Type } from '@sinclair/typebox';
import { commandsFor } from '../kernel/runtime/define-command.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { TokenShown, token } from '../streams/token.ts';
import { Reason, readReason } from './operator-reason.ts';
import {
  requireToken,
  TokenParams,
  TokenVisibility,
  tokenIdIn,
  visibilityAfter,
} from './token-visibility.ts';

export const showToken = commandsFor<RuntimeServices>()({
  name: 'ShowToken',
  summary: 'Show a hidden token again',
  description: 'Puts it back into its old place in the lists. A token that is not hidden stays as it is.',
  route: { method: 'POST', url: '/operator/tokens/:mintAddress/show', auth: 'operator', limit: 'operator' },
  input: {
    params: TokenParams,
    body: Type.Object({ reason: Type.Optional(Reason) }, { additionalProperties: false }),
  },
  output: TokenVisibility,
  rejections: ['TOKEN_NOT_FOUND'],
  stream: token,
  streamId: tokenIdIn,
  prepare: async ({ body }) => ({ reason: body.reason === undefined ? null : readReason(body.reason) }),
  decide(state, _input, { reason }) {
    const { created, hidden } = requireToken(state);
    return hidden === undefined ? [] : [TokenShown({ tokenId: created.token.tokenId, reason })];
  },
  respond: (state) => visibilityAfter(state, false),
});
