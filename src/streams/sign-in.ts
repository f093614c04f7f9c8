/** One stream per sign-in challenge: that it was used, so that it cannot be used again. */
import { Type } from '@sinclair/typebox';
import { constructorsOf, defineStream } from '../kernel/runtime/define-stream.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import { Address } from './values.ts';

const signInEvents = {
  ChallengeUsed: Type.Object({
    walletAddress: Address,
    /** The id of the call that used it: only that call gets a token for it. */
    attempt: Uuid,
  }),
};

export const { ChallengeUsed } = constructorsOf(signInEvents);

export type SignInState = { readonly usedBy: string | undefined };

export const signIn = defineStream({
  category: 'signin',
  events: signInEvents,
  internal: {
    ChallengeUsed: "Who signs in is nobody else's concern.",
  },
  initial: { usedBy: undefined } as SignInState,
  evolve: (_state, event): SignInState => ({ usedBy: event.data.attempt }),
});
