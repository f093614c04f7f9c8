/** Identifies the caller by the request's access token. */

import { rejection } from '../../streams/rejections.ts';
import type { AccessTokens } from '../auth/access-token.ts';

export interface Caller {
  /** The caller's name in events: the wallet's address, or `operator:<name>`. */
  readonly actor: string;
  /** The wallet that the access token proves, if one was sent. */
  readonly wallet?: string;
  readonly tokenId?: string;
  readonly tokenExpiresAt?: string;
}

/** Throws `UNAUTHENTICATED` or `TOKEN_EXPIRED`. */
export async function authenticate(
  accessTokens: AccessTokens,
  authorization: string | undefined,
): Promise<Caller> {
  const token = /^Bearer +([^ ]+) *$/i.exec(authorization ?? '')?.[1];
  if (token === undefined) {
    throw rejection('UNAUTHENTICATED', 'This call needs an access token: Authorization: Bearer <token>.');
  }
  const verdict = await accessTokens.verify(token);
  if (verdict.ok) {
    const { wallet, jti: tokenId, expiresAt: tokenExpiresAt } = verdict;
    return { actor: wallet, wallet, tokenId, tokenExpiresAt };
  }
  throw verdict.code === 'TOKEN_EXPIRED'
    ? rejection('TOKEN_EXPIRED', 'The access token has expired; sign in again.')
    : rejection('UNAUTHENTICATED', 'The access token is not valid; sign in again.');
}
