/**
 * Issues this service's access tokens (JWT); verifies them and the tokens of accepted issuers. Only `iss` selects the
 * configured entry that defines how a token is verified.
 */
import { hash, randomUUID } from 'node:crypto';
import {
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type FetchImplementation,
  importJWK,
  jwtVerify,
  SignJWT,
} from 'jose';
import { LRUCache } from 'lru-cache';
import { type AcceptedIssuer, acceptedIssuerProblems } from './accepted-issuers.ts';
import { type IssuerKeys, openIssuerKeys } from './issuer-keys.ts';
import { privateHalf, publicHalf, type SigningKey, type VerificationKey } from './signing-key.ts';
import {
  FOREIGN_MAX_AGE_MS,
  foreignSource,
  type OwnKey,
  ownSource,
  type TokenSource,
} from './token-sources.ts';

export interface AccessTokensOptions {
  signingKey: SigningKey;
  /** The `iss` claim of issued tokens. */
  issuer: string;
  /** The `aud` claim of issued tokens. */
  audience: string;
  lifetimeSeconds: number;
  acceptedIssuers?: readonly AcceptedIssuer[];
  /** Called at every use of a token. `verify` rethrows its error, because the token's state is then unknown. */
  isRevoked: (jti: string) => boolean | Promise<boolean>;
  /** Unix milliseconds. */
  now: () => number;
  /** Called once per failed fetch of an accepted issuer's keys. */
  onKeysUnavailable?: (issuer: string, reason: string) => void;
  /** Replaces `fetch` for the keys of accepted issuers. */
  fetchKeys?: FetchImplementation;
  /** Time limit for fetching an accepted issuer's keys. */
  keysTimeoutMs?: number;
  /** Minimum time between two fetches of the same issuer's keys. */
  keysCooldownMs?: number;
  /** Number of verified tokens in the cache, at least 1. */
  cacheCapacity?: number;
}

type TokenVerdict =
  | {
      ok: true;
      /** Base58 address. */
      wallet: string;
      /** Id for `isRevoked`. For tokens of other issuers it is a digest, because their ids could equal one of ours. */
      jti: string;
      issuer: string;
      /** ISO 8601, UTC. A revocation must be stored until `TOKEN_CLOCK_TOLERANCE_SECONDS` after it. */
      expiresAt: string;
    }
  | { ok: false; code: 'UNAUTHENTICATED' | 'TOKEN_EXPIRED' };

export type AccessTokens = Awaited<ReturnType<typeof openAccessTokens>>;

/** Tolerated clock difference in seconds. */
const TOKEN_CLOCK_TOLERANCE_SECONDS = 30;

const MAX_TOKEN_LENGTH = 8_192;
/** Stricter than the base64url decoder, which skips whitespace. */
const COMPACT_JWS = /^[\w-]+\.[\w-]+\.[\w-]+$/;

const UNAUTHENTICATED: TokenVerdict = Object.freeze({ ok: false, code: 'UNAUTHENTICATED' });
const TOKEN_EXPIRED: TokenVerdict = Object.freeze({ ok: false, code: 'TOKEN_EXPIRED' });

interface Verified {
  verdict: TokenVerdict & { ok: true };
  /** Unix seconds, as in the claims. */
  notBefore: number;
  expires: number;
  /** Unix milliseconds. */
  cachedUntil: number;
}

/**
 * Throws an Error with a message for the operator if an accepted issuer or a key is invalid, or if the halves of the
 * signing key do not match.
 */
export async function openAccessTokens(options: AccessTokensOptions) {
  const { signingKey, issuer, audience, lifetimeSeconds, acceptedIssuers = [], now } = options;
  const problems = acceptedIssuerProblems(acceptedIssuers, issuer);
  if (problems.length > 0) throw new Error(problems.join('; '));
  const signer = await importKey(privateHalf(signingKey), signingKey.alg);
  const published = publicHalf(signingKey);
  const { kid, alg } = published;
  const own = { kid, alg, key: await importKey(published, alg) };
  const remote = acceptedIssuers.map((entry) => ({ entry, keys: openKeysOf(entry, options) }));
  const sources: Sources = new Map([
    [issuer, ownSource(audience, own)],
    ...remote.map(({ entry, keys }) => [entry.issuer, foreignSource(entry, keys.find)] as const),
  ]);
  const cache = new LRUCache<string, Verified>({ max: options.cacheCapacity ?? 10_000 });

  return {
    /** Issues a token for a verified wallet; does not check the address again. `expiresAt` is ISO 8601, UTC. */
    async issue(walletAddress: string) {
      const issuedAt = Math.floor(now() / 1_000);
      const expires = issuedAt + lifetimeSeconds;
      const jti = randomUUID();
      const token = await new SignJWT()
        .setProtectedHeader({ alg: signingKey.alg, kid: signingKey.kid, typ: 'JWT' })
        .setSubject(walletAddress)
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt(issuedAt)
        .setExpirationTime(expires)
        .setJti(jti)
        .sign(signer);
      return { token, expiresAt: isoSeconds(expires), jti };
    },

    /** The public key that `/.well-known/jwks.json` serves. */
    jwks: () => ({ keys: [{ ...published, use: 'sig' as const }] }),

    /** Never throws because of a token's contents. Returns `TOKEN_EXPIRED` only for a token that is otherwise valid. */
    verify: (token: string) => verify(token, { cache, sources, options }),

    /** Clears the cache and aborts fetches in progress. */
    close(): void {
      cache.clear();
      for (const { keys } of remote) keys.close();
    },
  };
}

type Sources = ReadonlyMap<string, TokenSource>;

interface Verifying {
  readonly cache: LRUCache<string, Verified>;
  readonly sources: Sources;
  readonly options: Pick<AccessTokensOptions, 'isRevoked' | 'now'>;
}

async function verify(token: string, { cache, sources, options }: Verifying): Promise<TokenVerdict> {
  if (token.length > MAX_TOKEN_LENGTH) return UNAUTHENTICATED;
  // The digest keeps entries small (10,000 tokens of 8 KB would be 80 MB), and no usable bearer token stays in memory.
  const digest = hash('sha256', token, 'base64url');
  let verified = cache.get(digest);
  const at = options.now();
  if (!verified || at >= verified.cachedUntil || !isTimely(verified, at)) {
    cache.delete(digest);
    if (!COMPACT_JWS.test(token)) return UNAUTHENTICATED;
    const outcome = await verifyAnew(token, sources, options.now);
    if ('ok' in outcome) return outcome;
    verified = outcome;
    cache.set(digest, verified);
  }
  const revoked = options.isRevoked(verified.verdict.jti);
  // Awaiting a plain boolean would cost every request a microtask.
  if (typeof revoked === 'boolean' ? revoked : await revoked) {
    cache.delete(digest);
    return UNAUTHENTICATED;
  }
  return verified.verdict;
}

async function verifyAnew(
  token: string,
  sources: Sources,
  now: () => number,
): Promise<Verified | TokenVerdict> {
  try {
    // `crit` lists extensions that change the meaning of the signature; none is supported.
    if (decodeProtectedHeader(token).crit !== undefined) return UNAUTHENTICATED;
    const claimedIssuer = decodeJwt(token).iss;
    const source = typeof claimedIssuer === 'string' ? sources.get(claimedIssuer) : undefined;
    if (claimedIssuer === undefined || !source) return UNAUTHENTICATED;
    const at = now();
    const { payload } = await jwtVerify(token, source.key, {
      issuer: claimedIssuer,
      audience: source.audience,
      algorithms: source.algorithms,
      requiredClaims: source.requiredClaims,
      clockTolerance: TOKEN_CLOCK_TOLERANCE_SECONDS,
      currentDate: new Date(at),
      ...(source.typ !== undefined && { typ: source.typ }),
    });
    const { exp = Number.NaN, iat = 0, nbf = 0 } = payload;
    const identity = source.identify(payload, token);
    if (!identity) return UNAUTHENTICATED;
    const verified: Verified = {
      // Throws if `exp` is beyond the range of dates, so the token is refused.
      verdict: Object.freeze({ ok: true, ...identity, issuer: claimedIssuer, expiresAt: isoSeconds(exp) }),
      notBefore: Math.max(iat, nbf),
      expires: exp,
      cachedUntil: at + source.maxCachedMs,
    };
    return isTimely(verified, at) ? verified : UNAUTHENTICATED;
  } catch (error) {
    return error instanceof errors.JWTExpired ? TOKEN_EXPIRED : UNAUTHENTICATED;
  }
}

function openKeysOf({ issuer, jwksUrl }: AcceptedIssuer, options: AccessTokensOptions): IssuerKeys {
  return openIssuerKeys({
    jwksUrl,
    now: options.now,
    timeoutMs: options.keysTimeoutMs ?? 5_000,
    cooldownMs: options.keysCooldownMs ?? 30_000,
    maxAgeMs: FOREIGN_MAX_AGE_MS,
    onUnavailable: (reason) => options.onKeysUnavailable?.(issuer, reason),
    ...(options.fetchKeys && { fetchKeys: options.fetchKeys }),
  });
}

/** Throws if the private half does not belong to the public half. */
async function importKey(
  jwk: VerificationKey | ReturnType<typeof privateHalf>,
  alg: string,
): Promise<OwnKey['key']> {
  return importJWK(jwk, alg).catch((cause: unknown) => {
    throw new Error('the JWT key is invalid, or its private and public halves do not match', { cause });
  });
}

/** Expiry check for new and cached tokens. */
function isTimely({ notBefore, expires }: Verified, atMs: number): boolean {
  const seconds = Math.floor(atMs / 1_000);
  return (
    expires > seconds - TOKEN_CLOCK_TOLERANCE_SECONDS && notBefore <= seconds + TOKEN_CLOCK_TOLERANCE_SECONDS
  );
}

function isoSeconds(seconds: number): string {
  return new Date(seconds * 1_000).toISOString();
}
