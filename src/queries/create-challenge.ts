/** Issues a sign-in challenge. Nothing is recorded: the challenge itself proves that this service made it. */

import { Type } from '@sinclair/typebox';
import { requireWalletAddress } from '../auth/require-wallet-address.ts';
import type { AuthServices } from '../auth/services.ts';
import { queriesFor } from '../runtime/define-query.ts';
import type { RuntimeServices } from '../runtime/services.ts';
import { Timestamp } from '../streams/values.ts';

export const createChallenge = queriesFor<RuntimeServices & AuthServices>()({
  name: 'CreateChallenge',
  summary: 'Get a message to sign in with',
  route: { method: 'POST', url: '/auth/challenge', auth: 'none', limit: 'sign-in' },
  input: {
    body: Type.Object(
      { walletAddress: Type.String({ minLength: 1, maxLength: 100 }) },
      {
        additionalProperties: false,
        examples: [{ walletAddress: 'HF3j6qvcCQJRyXLKwpDYw1MMjbsWP9wB72L471rSBNxD' }],
      },
    ),
  },
  output: Type.Object({
    challenge: Type.String({
      description: 'The text to sign, as it is (Sign-In-With-Solana).',
      examples: [
        'levy.example wants you to sign in with your Solana account:\nHF3j6qvcCQJRyXLKwpDYw1MMjbsWP9wB72L471rSBNxD',
      ],
    }),
    expiresAt: Timestamp,
  }),
  rejections: ['INVALID_ADDRESS'],
  async answer({ body: { walletAddress } }, { services, call }) {
    requireWalletAddress(walletAddress);
    const origin = services.signInOriginOf(call.origin);
    return services.signIn.issue({ walletAddress, origin, now: services.clock.now().getTime() });
  },
});
