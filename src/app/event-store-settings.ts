/** What an event store's adapter is opened with, by the configuration. */

import type { Logger } from '../kernel/ports/logger.ts';
import type { EventStoreSettings } from '../kernel/ports/technology.ts';
import type { Configuration } from '../operations/config/configuration.ts';
import { serverAccess } from './server-access.ts';

/** Rejects with `OperatorError` where files with credentials or certificates cannot be used. */
export async function eventStoreSettings(
  configuration: Configuration,
  logger: Logger,
): Promise<EventStoreSettings> {
  const { eventStore, eventStorePrefix: prefix, caFile: ca } = configuration;
  const credentials = eventStore.isEmbedded ? undefined : configuration.eventStoreCredentialsFile;
  return {
    url: eventStore.url,
    prefix,
    ...(await serverAccess('EventStoreDB', { credentials, ca })),
    logger,
  };
}
