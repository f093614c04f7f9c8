/** What commands and queries have in common: where they are called, by whom, and with what. */
import type { Static, TObject } from '@sinclair/typebox';

export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Parameters are written `:name`. */
  readonly url: string;
  /**
   * `wallet`: only with an access token. `optional`: signed in if a token is sent, and a bad one is refused. `operator`:
   * only with an operator's key; such a route does not exist while none is configured, and no page may call it.
   */
  readonly auth: 'none' | 'optional' | 'wallet' | 'operator';
  /**
   * The name of the rate-limit policy that counts the call; `general` when absent, `none` is not limited at all. Of an
   * operator's route only calls with a wrong key are counted.
   */
  readonly limit?: string;
  /** An operator's key may be sent, and shows more; a wrong one is refused. */
  readonly operatorsSeeMore?: true;
  /** The answer is a stream, which goes on after the id in `Last-Event-ID`. */
  readonly resumes?: true;
  /** Pages of every origin may read the answer, not only those of the configured ones. */
  readonly anyOrigin?: boolean;
  /** Repeating it is no one's business but the caller's: an Idempotency-Key means nothing here. */
  readonly ignoresIdempotencyKey?: true;
  /** The body is a form with one file, handed over as its bytes in `body[field]`. */
  readonly upload?: { readonly field: string; readonly maximumBytes: number };
}

/** Whether calls of the route are told apart by their Idempotency-Key; elsewhere that header is not looked at. */
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

/** What is known of a call besides its input. */
export interface Call {
  /** The wallet address that signed in, `operator:<name>`, or `anonymous`. */
  readonly actor: string;
  /** The id of the access token that was sent. */
  readonly tokenId?: string;
  /** When that token expires, ISO 8601. */
  readonly tokenExpiresAt?: string;
  /** The request's Origin, where the browser sent one. */
  readonly origin?: string;
  readonly requestId: string;
  /** The header as it was sent; for routes that go on where an earlier answer ended. */
  readonly lastEventId?: string;
  /** The span in which the call is answered, where calls are traced. */
  readonly traceparent?: string;
  readonly idempotencyKey?: string;
  /** Told when the call turns out to repeat one that is recorded: before it is answered, whatever the answer is. */
  readonly onReplay?: () => void;
  /** The header as it was sent; for commands that say their `entityTag`. */
  readonly ifMatch?: string;
}
