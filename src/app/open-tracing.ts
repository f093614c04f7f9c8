/** Opens tracing to the collector, if one is configured. */

import type { Logger } from '../kernel/ports/logger.ts';
import type { Tracing } from '../kernel/ports/tracing.ts';
import type { Configuration } from '../operations/config/configuration.ts';
import { adapterFor } from './adapters.ts';
import { VERSION } from './version.ts';

export async function openTracing(
  { otlpEndpoint, shutdownTimeoutMs }: Configuration,
  logger: Logger,
): Promise<Tracing | undefined> {
  if (otlpEndpoint === undefined) return undefined;
  return adapterFor('tracing', otlpEndpoint).open({
    url: otlpEndpoint,
    serviceVersion: VERSION,
    closeTimeout: shutdownTimeoutMs / 4,
    logger,
  });
}
