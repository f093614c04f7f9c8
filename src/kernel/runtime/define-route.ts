/** Routes of commands and queries: method and URL, permitted callers, and input. */
import type { Static, TObject } from '@sinclair/typebox';

export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT';
  /** Path with parameters as `:name`. */
  readonly url: string;
  /**
   * Operation id in the API description, if the command's name is not a verb and a noun. The name itself must not change,
   * because ids of repeated calls derive from it.
   */
  readonly operationId?: string;
  /**
   * `wallet`: requires an access token. `optional`: a token is optional, but an invalid one is rejected. `operator`: requires an
   * operator's key, does not exist while no key is configured, and rejects calls from web pages. `partner`:
   * requires a partner's key, and rejects calls from web pages.
   */
  readonly auth: 'none' | 'optional' | 'wallet' | 'partner' | 'operator';
  /**
   * Name of the rate-limit policy; `general` when absent, `none` for no limit. An operator's route counts only calls with a
   * wrong key.
   */
  readonly limit?: string;
  /** True if the route requires no work, and responds even while an overloaded service rejects other routes. */
  readonly answersWhenBusy?: true;
  /** An operator's key is optional and adds members to the response; a wrong key is rejected. */
  readonly operatorsSeeMore?: true;
  /** The response is a stream, which resumes after the id in `Last-Event-ID`. */
  readonly resumes?: true;
  /** Allows web pages of all origins to read the response, not only those of the configured origins. */
  readonly anyOrigin?: boolean;
  /** Repeated calls affect only the caller, so an Idempotency-Key has no effect. */
  readonly ignoresIdempotencyKey?: true;
  /** The body is a form with one file, whose bytes are passed as `body[field]`. */
  readonly upload?: { readonly field: string; readonly maximumBytes: number };
}

/** True if the route honours the Idempotency-Key; other routes ignore the header. */
export function takesIdempotencyKey({ method, auth, ignoresIdempotencyKey }: Route): boolean {
  return method !== 'GET' && (auth === 'wallet' || auth === 'operator') && !ignoresIdempotencyKey;
}

export interface InputSchemas {
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TObject;
}

export type InputOf<Schemas extends InputSchemas> = {
  readonly params: Schemas['params'] extends TObject ? Static<Schemas['params']> : Record<string, never>;
  readonly query: Schemas['query'] extends TObject ? Static<Schemas['query']> : Record<string, never>;
  readonly body: Schemas['body'] extends TObject ? Static<Schemas['body']> : undefined;
};

export interface Call {
  /** Address of the signed-in wallet, `operator:<name>`, or `anonymous`. */
  readonly actor: string;
  /** Name of the partner whose key the call contains. */
  readonly partner?: string;
  /** Widest network of the caller's address, unless the caller is a partner: an IPv4 address or an IPv6 /48. */
  readonly network?: string;
  readonly tokenId?: string;
  /** Expiry of the access token, ISO 8601. */
  readonly tokenExpiresAt?: string;
  /** Origin header, if the browser sent one. */
  readonly origin?: string;
  readonly requestId: string;
  /** Unparsed header, for routes that resume an earlier response. */
  readonly lastEventId?: string;
  /** True if the caller prefers the query's `alternative` to JSON. */
  readonly prefersAlternative?: true;
  /** Milliseconds after which the caller prefers 202 to waiting (`Prefer: respond-async`). */
  readonly waitsFor?: number;
  /** Span of the response, if calls are traced. */
  readonly traceparent?: string;
  readonly idempotencyKey?: string;
  /** Queues CPU-intensive work after the work of other callers; skips it if the caller disconnects first. Present for uploads. */
  readonly inTurn?: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Unparsed header, for commands with an `entityTag`. */
  readonly ifMatch?: string;
}
