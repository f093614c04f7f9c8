/** Revokes the access token that the call was made with. */

import { Type } from '@sinclair/typebox';
import { commandsFor } from '../kernel/runtime/define-command.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import type { AuthServices } from '../server/services.ts';
import { SessionRevoked, session } from '../streams/session.ts';

export const signOut = commandsFor<RuntimeServices & AuthServices>()({
  name: 'SignOut',
  summary: 'Revoke the access token',
  description:
    'The token is refused from then on, by every process of the service. Calls in progress with it end normally.',
  route: {
    method: 'POST',
    url: '/auth/logout',
    operationId: 'revokeAccessToken',
    auth: 'wallet',
    limit: 'sign-in',
    ignoresIdempotencyKey: true,
  },
  input: {},
  output: Type.Object({ success: Type.Boolean() }),
  rejections: [],
  stream: session,
  streamId: (_input, { tokenId }) => tokenId ?? '',
  async prepare(_input, { call, services }) {
    return { expiresAt: call.tokenExpiresAt ?? services.clock.now().toISOString() };
  },
  decide: (state, _input, facts) => (state.revoked ? [] : [SessionRevoked(facts)]),
  respond(_state, _input, { services, call }) {
    if (call.tokenId !== undefined) services.revocations.add(call.tokenId);
    return { success: true };
  },
});
