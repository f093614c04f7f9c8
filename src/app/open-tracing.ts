/** Opens the way to the collector of traces, where one is configured. */
import type { Configuration } from '../config/configuration.ts';
import type { Tracing } from '../ports/tracing.ts';
import { VERSION } from './version.ts';

export async function openTracing(
  { otlpEndpoint, otelServiceName, shutdownTimeoutMs }: Configuration,
  report: (message: string, details: object) => void,
): Promise<Tracing | undefined> {
  if (otlpEndpoint === undefined) return undefined;
  // Its libraries would slow down every start, and few need them.
  const { openOtlpTracing } = await import('../adapters/otlp/tracing.ts');
  return openOtlpTracing({
    endpoint: otlpEndpoint,
    serviceName: otelServiceName,
    serviceVersion: VERSION,
    closeTimeout: shutdownTimeoutMs / 4,
    report,
  });
}
