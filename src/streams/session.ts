/** One stream per access token that was revoked before it expired. */
import { Type } from '@sinclair/typebox';
import { constructorsOf, defineStream } from '../kernel/runtime/define-stream.ts';
import { Timestamp } from './values.ts';

const sessionEvents = {
  SessionRevoked: Type.Object({
    /** When the token would have expired anyway; after that the revocation is irrelevant. */
    expiresAt: Timestamp,
  }),
};

export const { SessionRevoked } = constructorsOf(sessionEvents);

export const session = defineStream({
  category: 'session',
  events: sessionEvents,
  internal: {
    SessionRevoked: "Who signs out is nobody else's concern.",
  },
  initial: { revoked: false },
  evolve: () => ({ revoked: true }),
});
