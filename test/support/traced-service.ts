/** A service that sends its traces to a collector of the test. */
import { afterTheFile } from './after-the-file.ts';
import type { Environment } from './service.ts';
import { type CollectedSpan, openTraceCollector, type TraceCollector } from './trace-collector.ts';

export const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
export const SPAN_ID = '00f067aa0ba902b7';

export async function collect(): Promise<TraceCollector> {
  const collector = await openTraceCollector();
  afterTheFile(() => collector.close());
  return collector;
}

export const sentTo = (url: string): Environment => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  NONCE_ACCOUNTS_MIN: '3',
});

export function headersOf(traceId: string): { readonly headers: Readonly<Record<string, string>> } {
  return { headers: { traceparent: `00-${traceId}-${SPAN_ID}-01` } };
}

export function spansOf({ spans }: TraceCollector, traceId: string): readonly CollectedSpan[] {
  return spans.filter((span) => span.traceId === traceId);
}
