/** Opens the stores of files, in a folder or on a server, and watches whether files can be stored in them. */

import type { BlobStore } from '../kernel/ports/blob-store.ts';
import type { ClientMeter } from '../kernel/ports/client-meter.ts';
import { type Logger, silentLogger } from '../kernel/ports/logger.ts';
import { type BlobStoreSettings, pathIn, schemeOf } from '../kernel/ports/technology.ts';
import { type WatchedStore, watchStore } from '../kernel/runtime/watched-store.ts';
import type { Configuration } from '../operations/config/configuration.ts';
import { adapterFor } from './adapters.ts';
import { serverAccess } from './server-access.ts';
import { folderOrRefused } from './start-refusals.ts';

export interface FilesOptions {
  readonly meter: ClientMeter;
  readonly logger: Logger;
}

/** For a command, which shows no metrics. */
export const UNMEASURED: FilesOptions = {
  logger: silentLogger,
  meter: { commanded() {}, withoutConnection() {}, watch: () => () => undefined },
};

/** Images have no named files. */
export function openImageStore(
  configuration: Configuration,
  options: FilesOptions,
): Promise<WatchedStore<BlobStore>> {
  return openWatched(configuration, options, {
    ...configuration.imageStore,
    name: 'IMAGE_STORE_URL',
    content: 'image',
    what: 'images',
  });
}

/** Ledgers and the transparency log. */
export function openBlobStore(
  configuration: Configuration,
  options: FilesOptions,
): Promise<WatchedStore<BlobStore>> {
  return openWatched(configuration, options, {
    ...configuration.ledgerStore,
    name: 'LEDGER_STORE_URL',
    content: 'ledger file',
    what: 'ledgers',
  });
}

/** `name` is the variable with the address. */
async function openWatched(
  { mongoDbCredentialsFile: credentials, caFile: ca }: Configuration,
  { meter, logger }: FilesOptions,
  { url, name, content, what }: Pick<BlobStoreSettings, 'url' | 'content'> & Record<'name' | 'what', string>,
): Promise<WatchedStore<BlobStore>> {
  const adapter = adapterFor('blob-store', url);
  const opened =
    schemeOf(url) === 'file'
      ? await folderOrRefused({ folder: pathIn(url), name }, () => adapter.open({ url, content }))
      : await adapter.open({
          url,
          content,
          meter,
          waiting: logger,
          ...(await serverAccess('MongoDB', { credentials, ca })),
        });
  return watchStore(opened, { what, writes: ['put', 'putFile'], logger });
}
