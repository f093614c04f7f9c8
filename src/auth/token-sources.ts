/** How the tokens of each issuer are verified, ours and others': the server's side of what a token is not asked about. */
import { hash } from 'node:crypto';
import { type CryptoKey, errors, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { isWalletKey, parseAddress } from '../chain/wallet-key.ts';
import type { AcceptedIssuer } from './accepted-issuers.ts';

export interface TokenSource {
  algorithms: string[];
  audience: string;
  /** The `typ` header that its tokens must have, if we know. */
  typ?: string;
  requiredClaims: string[];
  key: JWTVerifyGetKey;
  /** How long a verified token is remembered at most. */
  maxCachedMs: number;
  /** The wallet and the token's own name, or undefined if the claims name no wallet. */
  identify(payload: JWTPayload, token: string): { wallet: string; jti: string } | undefined;
}

/** How long a withdrawn key of another issuer may still be honoured: in the key set, and for what was verified with it. */
export const FOREIGN_MAX_AGE_MS = 10 * 60_000;

/** A public key of ours with the one algorithm that it is for. */
export interface OwnKey {
  alg: string;
  key: CryptoKey;
}

/** Our own tokens, by the `kid` that this service wrote into them. */
export function ownSource(audience: string, keys: ReadonlyMap<string, OwnKey>): TokenSource {
  return {
    algorithms: [...new Set([...keys.values()].map(({ alg }) => alg))],
    audience,
    typ: 'JWT',
    requiredClaims: ['sub', 'iat', 'exp', 'jti'],
    key: ({ kid, alg }) => {
      const entry = kid === undefined ? undefined : keys.get(kid);
      if (!entry || entry.alg !== alg) throw new errors.JWKSNoMatchingKey();
      return entry.key;
    },
    maxCachedMs: Number.POSITIVE_INFINITY,
    // Events are recorded under this name: whoever got hold of the key must not be able to be an operator, or the service.
    identify: ({ sub, jti }) =>
      typeof sub === 'string' && parseAddress(sub) !== undefined && typeof jti === 'string'
        ? { wallet: sub, jti }
        : undefined,
  };
}

/** Tokens of an accepted issuer, with `findKey` over its published keys. */
export function foreignSource(entry: AcceptedIssuer, findKey: JWTVerifyGetKey): TokenSource {
  const { algorithms, audience, walletClaim } = entry;
  return {
    algorithms: [...algorithms],
    audience,
    requiredClaims: ['exp', walletClaim],
    key: findKey,
    maxCachedMs: FOREIGN_MAX_AGE_MS,
    identify: (payload, token) => {
      const wallet = payload[walletClaim];
      if (typeof wallet !== 'string') return undefined;
      const bytes = parseAddress(wallet);
      if (bytes === undefined || !isWalletKey(bytes)) return undefined;
      // Without the signature, whose text can be varied: a revoked token must stay revoked however it is written.
      return { wallet, jti: hash('sha256', token.slice(0, token.lastIndexOf('.')), 'base64url') };
    },
  };
}
