/**
 * Removes a token from every public list, and restores it at its old rank. Repeating the reason, or showing a visible
 * token, records nothing. The chain is not changed.
 */
import { type Static, Type } from '@sinclair/typebox';
import { commandsFor } from '../kernel/runtime/define-command.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { TokenHidden, TokenShown, type TokenState, token } from '../streams/token.ts';
import { Address } from '../streams/value-types.ts';
import { Reason, readReason } from './operator-reason.ts';
import { noTokenRejection, requireToken, TokenParams, tokenIdIn } from './token-in-route.ts';

const TokenVisibility = Type.Object(
  { tokenId: Uuid, mintAddress: Address, hidden: Type.Boolean() },
  { title: 'TokenVisibility' },
);

const visibilitySwitch = {
  output: TokenVisibility,
  rejections: ['TOKEN_NOT_FOUND'],
  stream: token,
  streamId: tokenIdIn,
};

export const hideToken = commandsFor<RuntimeServices>()({
  ...visibilitySwitch,
  name: 'HideToken',
  summary: 'Hide a token',
  description:
    'Removes the token from every public list and feed; only its creator sees its details. Holders are ' +
    'still paid, and nothing on the chain changes.',
  route: { method: 'POST', url: '/operator/tokens/:mintAddress/hide', auth: 'operator', limit: 'operator' },
  input: {
    params: TokenParams,
    body: Type.Object({ reason: Reason }, { additionalProperties: false }),
  },
  prepare: async ({ body }) => ({ reason: readReason(body.reason) }),
  decide(state, _input, { reason }) {
    const { created, hidden } = requireToken(state);
    return hidden?.reason === reason ? [] : [TokenHidden({ tokenId: created.token.tokenId, reason })];
  },
  respond: (state) => visibilityAfter(state, true),
});

export const showToken = commandsFor<RuntimeServices>()({
  ...visibilitySwitch,
  name: 'ShowToken',
  summary: 'Show a hidden token again',
  description: 'Lists the token again at its old rank. Has no effect on a visible token.',
  route: { method: 'POST', url: '/operator/tokens/:mintAddress/show', auth: 'operator', limit: 'operator' },
  input: {
    params: TokenParams,
    body: Type.Object({ reason: Type.Optional(Reason) }, { additionalProperties: false }),
  },
  prepare: async ({ body }) => ({ reason: body.reason === undefined ? null : readReason(body.reason) }),
  decide(state, _input, { reason }) {
    const { created, hidden } = requireToken(state);
    return hidden === undefined ? [] : [TokenShown({ tokenId: created.token.tokenId, reason })];
  },
  respond: (state) => visibilityAfter(state, false),
});

/** Visibility after the command, also for a repeated call after later changes, or after a fork removed the token. */
function visibilityAfter(state: TokenState, hidden: boolean): Static<typeof TokenVisibility> {
  if (state === undefined) throw noTokenRejection();
  const { tokenId, mintAddress } = state.created.token;
  return { tokenId, mintAddress, hidden };
}
