/** Projection with one document per access token that was revoked before it expired. */
import { idOf } from '../kernel/runtime/event-codec.ts';
import { defineProjection } from './levy-projection.ts';

type RevokedSessionDocument = { readonly expiresAt: string };

export const revokedSessions = defineProjection<RevokedSessionDocument>({
  name: 'revoked_sessions',
  version: 1,
  on: {
    SessionRevoked: { key: (event) => idOf(event.stream), apply: (_none, event) => event.data },
  },
});
