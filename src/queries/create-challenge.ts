/** Issues a sign-in challenge without recording anything: the challenge is authenticated by the service's own key. */

import { Type } from '@sinclair/typebox';
import { queriesFor } from '../kernel/runtime/define-query.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import type { AuthServices } from '../server/services.ts';
import { Address, Timestamp } from '../streams/value-types.ts';
import { requireWalletAddress } from '../views/address-params.ts';

export const createChallenge = queriesFor<RuntimeServices & AuthServices>()({
  name: 'CreateChallenge',
  summary: 'Get a message to sign in with',
  description:
    'Have the wallet sign the text unchanged, and send text and signature to `POST /auth/verify`. A challenge is valid for ' +
    'five minutes and can be used once. Nothing is recorded.',
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
      description: 'Text to sign unchanged (Sign-In-With-Solana).',
      examples: [
        'levy.example wants you to sign in with your Solana account:\nHF3j6qvcCQJRyXLKwpDYw1MMjbsWP9wB72L471rSBNxD',
      ],
    }),
    signInInput: Type.Object(
      {
        domain: Type.String(),
        address: Address,
        statement: Type.String(),
        uri: Type.String(),
        version: Type.Literal('1'),
        chainId: Type.String(),
        nonce: Type.String(),
        issuedAt: Timestamp,
        expirationTime: Timestamp,
      },
      {
        title: 'SignInInput',
        description:
          "The challenge as input of a wallet's `signIn` (the wallet standard's `SolanaSignInInput`). Send the text of its " +
          '`signedMessage` as `message`, and its `signature` in base58.',
        examples: [
          {
            domain: 'levy.example',
            address: 'HF3j6qvcCQJRyXLKwpDYw1MMjbsWP9wB72L471rSBNxD',
            statement: 'Sign in to Levy. This costs nothing and sends no transaction.',
            uri: 'https://levy.example',
            version: '1',
            chainId: 'mainnet',
            nonce: '2hgxHFrBHY7x1f6nUVjZkA1v3gQYw5cW8dJ9mT',
            issuedAt: '2026-05-04T10:00:00.000Z',
            expirationTime: '2026-05-04T10:05:00.000Z',
          },
        ],
      },
    ),
    expiresAt: Timestamp,
  }),
  rejections: ['INVALID_ADDRESS'],
  async answer({ body: { walletAddress } }, { services, call }) {
    requireWalletAddress('walletAddress', walletAddress);
    const origin = services.signInOriginOf(call.origin);
    return services.signIn.issue({ walletAddress, origin, now: services.clock.now().getTime() });
  },
});
