/** One stream per sign-in challenge: that it was used, so that it cannot be used again. */
import { Type } from '@sinclair/typebox';
import { constructorsOf, defineStream, type EventOf } from '../runtime/define-stream.ts';
import { Address } from './values.ts';

export const signInEvents = {
  ChallengeUsed: Type.Object({ walletAddress: Address }),
};

export type SignInEvent = EventOf<typeof signInEvents>;

export const { ChallengeUsed } = constructorsOf(signInEvents);

export const signIn = defineStream({
  category: 'signin',
  events: signInEvents,
  initial: { used: false },
  evolve: () => ({ used: true }),
});
