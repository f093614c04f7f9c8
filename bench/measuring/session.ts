/** Signed-in wallet: its access token, and the key that signs the token. */

import { createKeyPair } from '../../src/chain/keys.ts';
import { openAccessTokens } from '../../src/server/auth/access-token.ts';
import { createKey } from '../../src/server/auth/signing-key.ts';
import { TOKEN_ISSUER } from '../servers/levy-options.ts';

export interface Session {
  readonly wallet: string;
  /** A private JWK, for the server. */
  readonly signingKey: string;
  readonly headers: { readonly authorization: string };
}

export async function openSession(): Promise<Session> {
  const signingKey = await createKey();
  const accessTokens = await openAccessTokens({
    signingKey,
    issuer: TOKEN_ISSUER,
    audience: TOKEN_ISSUER,
    lifetimeSeconds: 3_600,
    isRevoked: () => false,
    now: Date.now,
  });
  const wallet = createKeyPair(new Uint8Array(32).fill(1)).address;
  const { token } = await accessTokens.issue(wallet);
  accessTokens.close();
  return { wallet, signingKey: JSON.stringify(signingKey), headers: { authorization: `Bearer ${token}` } };
}
