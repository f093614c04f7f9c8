/**
 * Traces: what one request made the service do, span by span, through all its parts and after its answer. What is
 * promised here is checked of every adapter by `test/contracts/tracing.contract.ts`. Tracing never disturbs: nothing here
 * rejects or waits because of the place where traces are collected. A service that is not traced has none of these.
 */

export type SpanAttributes = { readonly [name: string]: string | number | boolean };

export interface SpanOptions {
  /** `server`: answers a call; `client`: calls another system; `internal` when absent. */
  readonly kind?: 'server' | 'client' | 'internal';
  readonly attributes?: SpanAttributes;
}

export interface Span {
  readonly traceId: string;
  /** Names this span in W3C form (`traceparent`, 55 characters), so that what it causes later can go on from it. */
  readonly traceparent: string;
  rename(name: string): void;
  describe(attributes: SpanAttributes): void;
  /** What it was for has failed; `type` is short and holds no user's data. */
  fail(type: string): void;
  /** Runs the work within the span: what it begins, also later, is within it too. */
  run<Result>(work: () => Result): Result;
  /** Nothing happens when it has ended already. */
  end(): void;
}

/** Runs the work as a part of the trace that `traceparent` names; if it names none, the work just runs. */
export type InTrace = <Result>(traceparent: string | undefined, work: () => Result) => Result;

export interface Tracing {
  /**
   * Begins the first span of this service for a call from outside, as a part of the caller's trace if `traceparent` names
   * one; what is not well-formed counts as absent. The span has to be ended.
   */
  begin(name: string, traceparent: string | undefined, options?: SpanOptions): Span;

  /**
   * Runs the work within a new span of the trace that is going on, and ends the span with the work. Where none is, it
   * only runs the work, without a span: what the service does of its own accord is not traced. What the work throws
   * fails the span and is thrown.
   */
  within<Result>(
    name: string,
    options: SpanOptions,
    work: (span: Span | undefined) => Promise<Result>,
  ): Promise<Result>;

  readonly continuing: InTrace;

  /** Sends what is left, as far as that takes no longer than was allowed at the opening. Spans after it lead nowhere. */
  close(): Promise<void>;
}
