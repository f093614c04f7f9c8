/** One stream per sign-in challenge: its use, so that it cannot be used again. */
import { Type } from '@sinclair/typebox';
import { constructorsOf, defineStream } from '../kernel/runtime/define-stream.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import { Address } from './value-types.ts';

const signInEvents = {
  ChallengeUsed: Type.Object({
    walletAddress: Address,
    /** Id of the call that used the challenge; only that call receives a token for it. */
    attempt: Uuid,
  }),
};

export const { ChallengeUsed } = constructorsOf(signInEvents);

export type SignInState = { readonly usedBy: string | undefined };

export const signIn = defineStream({
  category: 'signin',
  events: signInEvents,
  internal: {
    ChallengeUsed: 'Sign-ins are private.',
  },
  initial: { usedBy: undefined } as SignInState,
  evolve: (_state, event): SignInState => ({ usedBy: event.data.attempt }),
});
