/** Files of this machine: token images and blobs, each in a directory. Secrets are files too, whatever else is chosen. */
import type { Technology } from '../../ports/technology.ts';

export const file = {
  'blob-store': {
    schemes: ['file'],

    async open({ url }) {
      const { openFileBlobStore } = await import('./blob-store.ts');
      return openFileBlobStore(url.slice('file:'.length));
    },
  },

  'image-store': {
    schemes: ['file'],

    async open({ url }) {
      const { openFileImageStore } = await import('./image-store.ts');
      return openFileImageStore(url.slice('file:'.length));
    },
  },
} satisfies Technology;
