/** Opens the image store, and watches whether images can be stored in it. */
import type { Configuration } from '../config/configuration.ts';
import type { ClientMeter } from '../ports/client-meter.ts';
import type { ImageStore } from '../ports/image-store.ts';
import { type WatchedStore, watchStore } from '../runtime/watched-store.ts';
import { adapterFor } from './adapters.ts';
import { openFiles } from './open-files.ts';

export async function openImages(
  configuration: Configuration,
  {
    report,
    meter,
  }: { readonly report: (message: string, details: object) => void; readonly meter: ClientMeter },
): Promise<WatchedStore<ImageStore>> {
  const { imageStore, mongoDbCredentialsFile: credentials, caFile: ca } = configuration;
  const opened = await openFiles(
    adapterFor('image-store', imageStore.url),
    { ...imageStore, name: 'IMAGE_STORE_URL' },
    { credentials, ca, meter, report },
  );
  return watchStore(opened, { what: 'images', writes: ['put'], report });
}
