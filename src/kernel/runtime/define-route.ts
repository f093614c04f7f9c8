/** Routes of commands and queries: method and URL, permitted callers, and input. */
import type { Static, TObject } from '@sinclair/typebox';

export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT';
  /** Parameters are written `:name`. */
  readonly url: string;
  /**
   * What the API's description calls it, where the command's name is not a verb and a noun: a command keeps its name, because the
   * ids of repeated calls derive from it.
   */
  readonly operationId?: string;
  /**
   * `wallet`: requires an access token. `optional`: signed in if a token is sent; a bad token is refused. `operator`:
   * requires an operator's key; the route does not exist while no key is configured, and no web page may call it.
   * `partner`: requires a partner's key; no web page may call it.
   */
  readonly auth: 'none' | 'optional' | 'wallet' | 'partner' | 'operator';
  /**
   * The name of the rate-limit policy that counts the call; `general` when absent, `none` means no limit. On an
   * operator's route only calls with a wrong key are counted.
   */
  readonly limit?: string;
  /** Answered without work, also while the service refuses others because it has too much to do. */
  readonly answersWhenBusy?: true;
  /** An operator's key is optional and shows more; a wrong key is refused. */
  readonly operatorsSeeMore?: true;
  /** The answer is a stream, which resumes after the id in `Last-Event-ID`. */
  readonly resumes?: true;
  /** Pages of every origin may read the answer, not only those of the configured origins. */
  readonly anyOrigin?: boolean;
  /** Repeated calls concern only the caller: an Idempotency-Key has no effect here. */
  readonly ignoresIdempotencyKey?: true;
  /** The body is a form with one file, passed on as its bytes in `body[field]`. */
  readonly upload?: { readonly field: string; readonly maximumBytes: number };
}

/** True if the route honours the Idempotency-Key; other routes ignore that header. */
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

/** Facts about a call besides its input. */
export interface Call {
  /** The wallet address that signed in, `operator:<name>`, or `anonymous`. */
  readonly actor: string;
  /** The name of the partner whose key came with the call. */
  readonly partner?: string;
  /** The widest network of the caller's address, where no partner calls: an IPv4 address or an IPv6 /48. */
  readonly network?: string;
  /** The id of the access token that came with the call. */
  readonly tokenId?: string;
  /** When that token expires, ISO 8601. */
  readonly tokenExpiresAt?: string;
  /** The request's Origin, if the browser sent one. */
  readonly origin?: string;
  readonly requestId: string;
  /** The header as it was sent; for routes that resume where an earlier answer ended. */
  readonly lastEventId?: string;
  /** The caller would rather have the query's `alternative` than JSON. */
  readonly prefersAlternative?: true;
  /** The caller would rather have 202 than wait for longer than so many milliseconds (`Prefer: respond-async`). */
  readonly waitsFor?: number;
  /** The span that answers the call, if calls are traced. */
  readonly traceparent?: string;
  readonly idempotencyKey?: string;
  /** Runs work that takes the processor for long: after that of other callers, and not if this caller leaves before its turn. Uploads have it. */
  readonly inTurn?: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** The header as it was sent; for commands with an `entityTag`. */
  readonly ifMatch?: string;
}
