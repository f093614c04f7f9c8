/** Exchanges a signed challenge for an access token; each challenge can be used once. */

import { Type } from '@sinclair/typebox';
import { recognizedEncoding } from '../chain/decode-submitted.ts';
import { commandsFor } from '../kernel/runtime/define-command.ts';
import { deriveId, Uuid } from '../kernel/runtime/ids.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import type { AuthServices } from '../server/services.ts';
import { rejection } from '../streams/rejections.ts';
import { ChallengeUsed, signIn } from '../streams/sign-in.ts';
import { Address, Timestamp } from '../streams/value-types.ts';
import { requireWalletAddress } from '../views/address-params.ts';

/** One response for all failures: naming the failed check would help only forgers. */
const failed = () =>
  rejection('SIGN_IN_FAILED', 'The sign-in could not be verified; get a new challenge and sign it.');

export const verifySignIn = commandsFor<RuntimeServices & AuthServices>()({
  name: 'VerifySignIn',
  summary: 'Sign in with a signed challenge',
  description:
    'Checks that the wallet signed the challenge, over its text or over its off-chain-message envelope, and ' +
    'returns the access token for `Authorization: Bearer`. A wrong signature, another wallet, a changed text, and ' +
    'a used or expired challenge all return `SIGN_IN_FAILED`.',
  route: { method: 'POST', url: '/auth/verify', auth: 'none', limit: 'sign-in' },
  input: {
    body: Type.Object(
      {
        walletAddress: Type.String({ minLength: 1, maxLength: 100 }),
        signature: Type.String({ minLength: 1, maxLength: 4_000, description: 'Base58.' }),
        message: Type.String({
          minLength: 1,
          maxLength: 4_000,
          description: 'Text of the challenge, unchanged.',
        }),
      },
      {
        additionalProperties: false,
        examples: [
          {
            walletAddress: 'HF3j6qvcCQJRyXLKwpDYw1MMjbsWP9wB72L471rSBNxD',
            signature:
              '4zVgEYjsbnq5zrBW1naqXHNuPKmojuHmmyuGVJD2Xxc9KcZARqc3JzJ9VKhsdeeDukGPUZjkjXi13KUc8A3GoRo8',
            message:
              'levy.example wants you to sign in with your Solana account:\nHF3j6qvcCQJRyXLKwpDYw1MMjbsWP9wB72L471rSBNxD',
          },
        ],
      },
    ),
  },
  output: Type.Object({
    token: Type.String({
      description: 'Access token (JWT).',
      examples: ['eyJhbGciOiJFZERTQSJ9.eyJpc3MiOiJsZXZ5In0.c2ln'],
    }),
    expiresAt: Timestamp,
    user: Type.Object({ id: Uuid, walletAddress: Address }),
  }),
  rejections: ['INVALID_ADDRESS', 'SIGN_IN_FAILED'],
  stream: signIn,
  streamId: ({ body }) => deriveId('challenge', body.message),
  async prepare({ body }, { services, cause }) {
    requireWalletAddress('walletAddress', body.walletAddress);
    requireBase58(body.signature);
    const verdict = services.signIn.verify({
      ...body,
      now: services.clock.now().getTime(),
      isAllowed: services.isSignInOrigin,
    });
    if (!verdict.ok) throw failed();
    return { attempt: cause.commandId };
  },
  decide(state, { body }, { attempt }) {
    if (state.usedBy === undefined) return [ChallengeUsed({ walletAddress: body.walletAddress, attempt })];
    if (state.usedBy !== attempt) throw failed();
    return [];
  },
  async respond(_state, { body: { walletAddress } }, { services }) {
    const { token, expiresAt } = await services.accessTokens.issue(walletAddress);
    return { token, expiresAt, user: { id: deriveId('user', walletAddress), walletAddress } };
  },
});

/**
 * Throws `VALIDATION_FAILED` for a signature in another encoding, because a 401 would not name the expected one. Wallet
 * libraries return several encodings.
 */
function requireBase58(signature: string): void {
  if (/^[1-9A-HJ-NP-Za-km-z]+$/.test(signature)) return;
  const recognized = recognizedEncoding(signature);
  const message = `must be base58${recognized === undefined ? '' : `; it looks like ${recognized}`}`;
  throw rejection('VALIDATION_FAILED', `The signature ${message}.`, {
    details: [{ path: ['signature'], message }],
  });
}
