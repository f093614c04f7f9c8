/** Opens the image store, and watches whether images can be stored in it. */
import { probeFolder } from '../adapters/file/image-store.ts';
import type { Configuration } from '../config/configuration.ts';
import { type WatchedImages, watchImages } from '../images/watched-images.ts';
import { adapterFor } from './adapters.ts';
import { folderOrRefused } from './start-refusals.ts';

export async function openImages(
  { imageStore }: Configuration,
  report: (message: string, details: object) => void,
): Promise<WatchedImages> {
  const folder = imageStore.url.slice(imageStore.url.indexOf(':') + 1);
  const store = await folderOrRefused({ folder, name: 'IMAGE_STORE_URL' }, () =>
    adapterFor('image-store', imageStore.url).open(imageStore),
  );
  return watchImages(store, { folder, report, probe: () => probeFolder(folder) });
}
