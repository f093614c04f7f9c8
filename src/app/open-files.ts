/** Opens the stores of files, in a folder or on a server, and watches whether files can be stored in them. */

import type { BlobStore } from '../kernel/ports/blob-store.ts';
import type { ClientMeter } from '../kernel/ports/client-meter.ts';
import type { ImageStore } from '../kernel/ports/image-store.ts';
import { type Logger, silentLogger } from '../kernel/ports/logger.ts';
import {
  type Adapter,
  type ImageStoreSettings,
  type OpenedFiles,
  schemeOf,
} from '../kernel/ports/technology.ts';
import { type WatchedStore, watchStore } from '../kernel/runtime/watched-store.ts';
import type { Configuration } from '../operations/config/configuration.ts';
import { adapterFor } from './adapters.ts';
import { type AccessFiles, serverAccess } from './server-access.ts';
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

export async function openImageStore(
  { imageStore, mongoDbCredentialsFile: credentials, caFile: ca }: Configuration,
  options: FilesOptions,
): Promise<WatchedStore<ImageStore>> {
  const opened = await openFiles(
    adapterFor('image-store', imageStore.url),
    { ...imageStore, name: 'IMAGE_STORE_URL' },
    { credentials, ca, ...options },
  );
  return watchStore(opened, { what: 'images', writes: ['put'], logger: options.logger });
}

export async function openBlobStore(
  { ledgerStore, mongoDbCredentialsFile: credentials, caFile: ca }: Configuration,
  options: FilesOptions,
): Promise<WatchedStore<BlobStore>> {
  const opened = await openFiles(
    adapterFor('blob-store', ledgerStore.url),
    { ...ledgerStore, name: 'LEDGER_STORE_URL' },
    { credentials, ca, ...options },
  );
  return watchStore(opened, { what: 'ledgers', writes: ['put', 'putFile'], logger: options.logger });
}

/** `name` is the variable with the address. */
async function openFiles<Store>(
  adapter: Adapter<ImageStoreSettings, OpenedFiles<Store>>,
  { url, name }: { readonly url: string; readonly name: string },
  { meter, logger, ...files }: AccessFiles & FilesOptions,
): Promise<OpenedFiles<Store>> {
  if (schemeOf(url) !== 'file')
    return adapter.open({ url, meter, waiting: logger, ...(await serverAccess('MongoDB', files)) });
  const folder = url.slice(url.indexOf(':') + 1);
  return folderOrRefused({ folder, name }, () => adapter.open({ url }));
}
