/** Fetches another issuer's public keys, and leaves key servers that are down in peace for a while. */
import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type FetchImplementation,
  type JWTVerifyGetKey,
} from 'jose';

export interface IssuerKeysOptions {
  jwksUrl: string;
  /** Unix milliseconds. */
  now: () => number;
  /** Time limit of a fetch. */
  timeoutMs: number;
  /** The least time between two fetches, successful or not. */
  cooldownMs: number;
  /** Keys older than this are fetched again before they are used. */
  maxAgeMs: number;
  /** Called once per failed fetch. */
  onUnavailable: (reason: string) => void;
  fetchKeys?: FetchImplementation;
}

export type IssuerKeys = ReturnType<typeof openIssuerKeys>;

export function openIssuerKeys(options: IssuerKeysOptions) {
  const { now, cooldownMs, onUnavailable, fetchKeys = fetch } = options;
  const closing = new AbortController();
  let silentUntil = Number.NEGATIVE_INFINITY;

  const fetchOnce: FetchImplementation = async (url, init) => {
    // The library's own cooldown begins with a success: without this one, every request would try a server that is down.
    if (now() < silentUntil) throw new Error('the key server failed recently; waiting before the next try');
    try {
      const signal = AbortSignal.any([init.signal, closing.signal]);
      const response = await fetchKeys(url, { ...init, signal });
      if (response.status !== 200) throw new Error(`the key server answered ${response.status}`);
      // Read here, so that an answer which breaks off or is no JSON counts as a failed fetch.
      return Response.json(await response.json());
    } catch (error) {
      silentUntil = now() + cooldownMs;
      if (!closing.signal.aborted) onUnavailable(describe(error));
      throw error;
    }
  };

  const keys = createRemoteJWKSet(new URL(options.jwksUrl), {
    timeoutDuration: options.timeoutMs,
    cooldownDuration: cooldownMs,
    cacheMaxAge: options.maxAgeMs,
    [customFetch]: fetchOnce,
  });

  /** Finds the key for a token's header; rejects if there is none, or if the keys cannot be fetched. */
  const find: JWTVerifyGetKey = async (header, token) => {
    try {
      return await keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      // Some issuers name a key in their tokens, but no key in what they publish.
      const { kid: _named, ...unnamed } = header ?? {};
      const areNamed = keys.jwks()?.keys.some(({ kid }) => kid !== undefined) ?? true;
      if (areNamed || unnamed.alg === undefined) throw error;
      return keys({ ...unnamed, alg: unnamed.alg }, token);
    }
  };

  return {
    find,
    /** Aborts a fetch in progress, so that it cannot delay the end of the process. */
    close: () => closing.abort(),
  };
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
