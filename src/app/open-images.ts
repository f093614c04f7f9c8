/** Opens the image store, and watches whether images can be stored in it. */
import { probeFolder } from '../adapters/file/probe-folder.ts';
import type { Configuration } from '../config/configuration.ts';
import type { ImageStore } from '../ports/image-store.ts';
import { type WatchedStore, watchStore } from '../runtime/watched-store.ts';
import { adapterFor } from './adapters.ts';
import { folderOrRefused } from './start-refusals.ts';

export async function openImages(
  { imageStore }: Configuration,
  report: (message: string, details: object) => void,
): Promise<WatchedStore<ImageStore>> {
  const folder = imageStore.url.slice(imageStore.url.indexOf(':') + 1);
  const store = await folderOrRefused({ folder, name: 'IMAGE_STORE_URL' }, () =>
    adapterFor('image-store', imageStore.url).open(imageStore),
  );
  return watchStore(store, {
    what: 'images',
    writes: ['put'],
    folder,
    report,
    probe: () => probeFolder(folder),
  });
}
