/**
 * Traces: what one request made the service do, span by span, through all its parts and after its answer.
 * `test/contracts/tracing.contract.ts` checks these promises of every adapter. Tracing never disturbs the service: no
 * call here rejects or waits because of the trace collector. A service without tracing has none of these objects.
 */

type SpanAttributes = { readonly [name: string]: string | number | boolean };

export interface SpanOptions {
  /** `server`: answers a call; `client`: calls another system; `internal` when absent. */
  readonly kind?: 'server' | 'client' | 'internal';
  readonly attributes?: SpanAttributes;
}

export interface Span {
  readonly traceId: string;
  /** This span in W3C form (`traceparent`, 55 characters), so that what it causes later can continue the trace. */
  readonly traceparent: string;
  rename(name: string): void;
  describe(attributes: SpanAttributes): void;
  /** The span's work has failed; `type` is short and holds no user data. */
  fail(type: string): void;
  /** Runs the work within the span; everything that the work starts, even later, is within it too. */
  run<Result>(work: () => Result): Result;
  /** Has no effect if the span has already ended. */
  end(): void;
}

/** Runs the work as part of the trace that `traceparent` names; without a valid name, it just runs the work. */
export type InTrace = <Result>(traceparent: string | undefined, work: () => Result) => Result;

export interface Tracing {
  /**
   * Begins the service's first span for a call from outside, as part of the caller's trace if `traceparent` names one;
   * a malformed value counts as absent. The caller must end the span.
   */
  begin(name: string, traceparent: string | undefined, options?: SpanOptions): Span;

  /**
   * Runs the work within a new span of the current trace, and ends the span with the work. Without a current trace it
   * runs the work without a span: what the service does by itself is not traced. If the work throws, the span fails and
   * the error is rethrown.
   */
  within<Result>(
    name: string,
    options: SpanOptions,
    work: (span: Span | undefined) => Promise<Result>,
  ): Promise<Result>;

  readonly continuing: InTrace;

  /** Sends the remaining spans, within the time limit set when it was opened. Later spans are not sent. */
  close(): Promise<void>;
}
