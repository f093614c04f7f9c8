/** Fetches another issuer's public keys, and protects this service from key servers that are down or hostile. */
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

export interface IssuerKeys {
  /** Finds the key for a token's header; rejects if there is none, or if the keys cannot be fetched. */
  find: JWTVerifyGetKey;
  /** Aborts a fetch in progress, so that it cannot delay the end of the process. */
  close(): void;
}

/** More than a set of a hundred RSA keys. */
const MAX_KEY_SET_BYTES = 256 * 1024;

export function openIssuerKeys(options: IssuerKeysOptions): IssuerKeys {
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
      const text = await readLimited(response);
      JSON.parse(text);
      return new Response(text, { status: 200 });
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
    async find(header, token) {
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
    },
    close: () => closing.abort(),
  };
}

async function readLimited(response: Response): Promise<string> {
  if (!response.body) throw new Error('the key server sent an empty answer');
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    if (size > MAX_KEY_SET_BYTES) throw new Error(`the key server sent more than ${MAX_KEY_SET_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
