/** Defines how the tokens of each issuer are verified. The configuration decides this, never the token. */
import { hash } from 'node:crypto';
import { errors, type importJWK, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { isWalletKey, parseAddress } from '../../chain/wallet-key.ts';
import type { AcceptedIssuer } from './accepted-issuers.ts';

export interface TokenSource {
  algorithms: string[];
  audience: string;
  /** The `typ` header that its tokens must have, if known. */
  typ?: string;
  requiredClaims: string[];
  key: JWTVerifyGetKey;
  /** The longest time that a verified token stays cached. */
  maxCachedMs: number;
  /** The wallet and the token's id; undefined if the claims name no wallet. */
  identify(payload: JWTPayload, token: string): { wallet: string; jti: string } | undefined;
}

/**
 * Longest time for which another issuer's withdrawn key is still accepted, both in the cached key set and for tokens verified
 * with it.
 */
export const FOREIGN_MAX_AGE_MS = 10 * 60_000;

/** Our own public key, with the only algorithm it is used for. */
export interface OwnKey {
  kid: string;
  alg: string;
  key: Awaited<ReturnType<typeof importJWK>>;
}

/** Our own tokens; they name the key in `kid`. */
export function ownSource(audience: string, own: OwnKey): TokenSource {
  return {
    algorithms: [own.alg],
    audience,
    typ: 'JWT',
    requiredClaims: ['sub', 'iat', 'exp', 'jti'],
    key: ({ kid, alg }) => {
      if (kid !== own.kid || alg !== own.alg) throw new errors.JWKSNoMatchingKey();
      return own.key;
    },
    maxCachedMs: Number.POSITIVE_INFINITY,
    // Events are recorded under `sub`: with a stolen key nobody must be able to act as an operator or as the service.
    identify: ({ sub, jti }) =>
      typeof sub === 'string' && parseAddress(sub) !== undefined && typeof jti === 'string'
        ? { wallet: sub, jti }
        : undefined,
  };
}

/** Tokens of an accepted issuer; `findKey` searches its published keys. */
export function foreignSource(entry: AcceptedIssuer, findKey: JWTVerifyGetKey): TokenSource {
  const { algorithms, audience, walletClaim } = entry;
  return {
    algorithms: [...algorithms],
    audience,
    requiredClaims: ['exp'],
    key: findKey,
    maxCachedMs: FOREIGN_MAX_AGE_MS,
    identify: (payload, token) => {
      const wallet = walletIn(payload, walletClaim);
      if (wallet === undefined) return undefined;
      // Hashed without the signature, whose text can be varied: a revoked token must stay revoked in every spelling.
      return { wallet, jti: hash('sha256', token.slice(0, token.lastIndexOf('.')), 'base64url') };
    },
  };
}

/**
 * The first wallet that the claim holds. `path`: the claim's whole name, or names with dots between them. On the way JSON text is
 * parsed, and every item of a list is tried (Privy); the address may be a CAIP-10 account or its `did:pkh`.
 */
function walletIn(payload: JWTPayload, path: string): string | undefined {
  const names = Object.hasOwn(payload, path) ? [path] : path.split('.');
  for (const value of valuesAt(payload, names)) {
    const address = /^(?:did:pkh:)?solana:[^:]+:([^:]+)$/.exec(value)?.[1] ?? value;
    const bytes = parseAddress(address);
    if (bytes !== undefined && isWalletKey(bytes)) return address;
  }
  return undefined;
}

function valuesAt(value: unknown, [name, ...others]: readonly string[]): readonly string[] {
  const found = parsedList(value, name !== undefined);
  if (Array.isArray(found))
    return found.flatMap((item) => valuesAt(item, name === undefined ? [] : [name, ...others]));
  if (name === undefined) return typeof found === 'string' ? [found] : [];
  if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return [];
  return valuesAt((found as { readonly [name: string]: unknown })[name], others);
}

/** `isInner`: more names follow, so that text can only be JSON. */
function parsedList(value: unknown, isInner: boolean): unknown {
  if (typeof value !== 'string' || !(isInner || value.startsWith('['))) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
