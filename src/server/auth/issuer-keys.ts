/** Fetches another issuer's public keys, with a cooldown after each failure. */
import { createRemoteJWKSet, customFetch, type FetchImplementation } from 'jose';

export interface IssuerKeysOptions {
  jwksUrl: string;
  /** Unix milliseconds. */
  now: () => number;
  /** Time limit of a fetch. */
  timeoutMs: number;
  /** Minimum time between two fetches, successful or not. */
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
    // The library's cooldown starts only after a success; without this one, every request would retry a server that is
    // down.
    if (now() < silentUntil)
      throw new Error('the key server failed recently; it is retried after the cooldown');
    try {
      const signal = AbortSignal.any([init.signal, closing.signal]);
      const response = await fetchKeys(url, { ...init, signal });
      if (response.status !== 200) throw new Error(`the key server returned HTTP status ${response.status}`);
      // Read here, so that a truncated or non-JSON body counts as a failed fetch.
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

  return {
    /** Finds the key for a token's header; rejects if no key matches or the keys cannot be fetched. */
    find: keys,
    /** Aborts a fetch in progress, so that it cannot delay the shutdown. */
    close: () => closing.abort(),
  };
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
