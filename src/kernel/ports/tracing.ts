/**
 * Traces of everything that a request makes the service do, span by span, through all its parts and after its response.
 * `test/contracts/tracing.contract.ts` checks these guarantees of every adapter. Tracing never disturbs the service: no call
 * here rejects or waits because of the trace collector. Without tracing, these objects do not exist.
 */

type SpanAttributes = { readonly [name: string]: string | number | boolean };

export interface SpanOptions {
  /** `server`: responds to a call; `client`: calls another system; default `internal`. */
  readonly kind?: 'server' | 'client' | 'internal';
  readonly attributes?: SpanAttributes;
}

export interface Span {
  readonly traceId: string;
  /** This span in W3C form (`traceparent`, 55 characters), so that later work can continue the trace. */
  readonly traceparent: string;
  rename(name: string): void;
  describe(attributes: SpanAttributes): void;
  /** Marks the span's work as failed; `type` is short and contains no user data. */
  fail(type: string): void;
  /** Runs the work within the span, including everything that the work starts, even later. */
  run<Result>(work: () => Result): Result;
  /** Has no effect after the end. */
  end(): void;
}

/** Runs the work as part of the trace of `traceparent`; without a valid value, only runs the work. */
export type InTrace = <Result>(traceparent: string | undefined, work: () => Result) => Result;

export interface Tracing {
  /**
   * Begins the service's first span for an external call, as part of the caller's trace if `traceparent` identifies one; a
   * malformed value counts as absent. The caller must end the span.
   */
  begin(name: string, traceparent: string | undefined, options?: SpanOptions): Span;

  /**
   * Runs the work within a new span of the current trace, and ends the span with the work. Without a current trace, runs the
   * work without a span, since work without a request is not traced. If the work throws, the span fails and the error is
   * rethrown.
   */
  within<Result>(
    name: string,
    options: SpanOptions,
    work: (span: Span | undefined) => Promise<Result>,
  ): Promise<Result>;

  readonly continuing: InTrace;

  /** Sends the remaining spans, within the time limit set at opening. Later spans are not sent. */
  close(): Promise<void>;
}
