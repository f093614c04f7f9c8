/** One stream per access token that was revoked before it expired. */
import { Type } from '@sinclair/typebox';
import { constructorsOf, defineStream } from '../kernel/runtime/define-stream.ts';
import { Timestamp } from './value-types.ts';

const sessionEvents = {
  SessionRevoked: Type.Object({
    /** Expiry of the token, after which the revocation is irrelevant. */
    expiresAt: Timestamp,
  }),
};

export const { SessionRevoked } = constructorsOf(sessionEvents);

export const session = defineStream({
  category: 'session',
  events: sessionEvents,
  internal: {
    SessionRevoked: 'Sign-outs are private.',
  },
  initial: { revoked: false },
  evolve: () => ({ revoked: true }),
});
