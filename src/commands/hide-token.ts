/** Takes a token out of every public list; the same reason again records nothing. Does not touch the chain. */

import { Type } from '@sinclair/typebox';
import { commandsFor } from '../kernel/runtime/define-command.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { TokenHidden, token } from '../streams/token.ts';
import { Reason, readReason } from './operator-reason.ts';
import {
  requireToken,
  TokenParams,
  TokenVisibility,
  tokenIdIn,
  visibilityAfter,
} from './token-visibility.ts';

export const hideToken = commandsFor<RuntimeServices>()({
  name: 'HideToken',
  summary: 'Hide a token',
  description:
    'Takes the token out of every public list and feed; its detail is shown only to its creator. Holders are ' +
    'still paid, and nothing on the chain changes.',
  route: { method: 'POST', url: '/operator/tokens/:mintAddress/hide', auth: 'operator', limit: 'operator' },
  input: {
    params: TokenParams,
    body: Type.Object({ reason: Reason }, { additionalProperties: false }),
  },
  output: TokenVisibility,
  rejections: ['TOKEN_NOT_FOUND'],
  stream: token,
  streamId: tokenIdIn,
  prepare: async ({ body }) => ({ reason: readReason(body.reason) }),
  decide(state, _input, { reason }) {
    const { created, hidden } = requireToken(state);
    return hidden?.reason === reason ? [] : [TokenHidden({ tokenId: created.token.tokenId, reason })];
  },
  respond: (state) => visibilityAfter(state, true),
});
