/** Opens the way to the collector of traces, where one is configured. */
import { openOtlpTracing } from '../adapters/otlp-tracing.ts';
import type { Configuration } from '../config.ts';
import type { Tracing } from '../ports/tracing.ts';
import { VERSION } from '../version.ts';

export function openTracing(
  { otlpEndpoint, otelServiceName, shutdownTimeoutMs }: Configuration,
  report: (message: string, details: object) => void,
): Tracing | undefined {
  if (otlpEndpoint === undefined) return undefined;
  return openOtlpTracing({
    endpoint: otlpEndpoint,
    serviceName: otelServiceName,
    serviceVersion: VERSION,
    closeTimeout: shutdownTimeoutMs / 4,
    report,
  });
}
