/** Rules for verifying the tokens of each issuer. They come from the configuration, never from the token. */
import { hash } from 'node:crypto';
import { errors, type importJWK, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { isWalletKey, parseAddress } from '../../chain/wallet-key.ts';
import type { AcceptedIssuer } from './accepted-issuers.ts';

export interface TokenSource {
  algorithms: string[];
  audience: string;
  /** Required `typ` header, if known. */
  typ?: string;
  requiredClaims: string[];
  key: JWTVerifyGetKey;
  /** Longest time in milliseconds that a verified token stays cached. */
  maxCachedMs: number;
  /** Returns the wallet and the token's id; undefined if the claims contain no wallet. */
  identify(payload: JWTPayload, token: string): { wallet: string; jti: string } | undefined;
}

/**
 * Milliseconds after which a key that another issuer withdrew is no longer accepted, in the cached key set and for tokens
 * verified with it.
 */
export const FOREIGN_MAX_AGE_MS = 10 * 60_000;

/** This service's public key and its only algorithm. */
export interface OwnKey {
  kid: string;
  alg: string;
  key: Awaited<ReturnType<typeof importJWK>>;
}

/** Rules for this service's tokens, which name the key in `kid`. */
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
    // Events record `sub` as the actor: a stolen key must not allow anybody to act as an operator or as the service.
    identify: ({ sub, jti }) =>
      typeof sub === 'string' && parseAddress(sub) !== undefined && typeof jti === 'string'
        ? { wallet: sub, jti }
        : undefined,
  };
}

/** Rules for tokens of an accepted issuer; `findKey` searches its published keys. */
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
      // The hash excludes the signature, because several texts encode the same one: a revoked token must stay revoked
      // in each of them.
      return { wallet, jti: hash('sha256', token.slice(0, token.lastIndexOf('.')), 'base64url') };
    },
  };
}

/**
 * Finds the first wallet in a claim. `path` is the claim's whole name, or names separated by dots. JSON text is parsed,
 * and every item of a list is tried (Privy); the address may be a CAIP-10 account or its `did:pkh`.
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

/** `isInner`: more names follow, so text can only be JSON. */
function parsedList(value: unknown, isInner: boolean): unknown {
  if (typeof value !== 'string' || !(isInner || value.startsWith('['))) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
