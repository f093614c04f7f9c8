/** Files of this machine: token images in a directory. Secrets are files too, whatever else is chosen. */
import type { Technology } from '../../ports/technology.ts';

export const file = {
  'image-store': {
    schemes: ['file'],

    async open({ url }) {
      const { openFileImageStore } = await import('./image-store.ts');
      return openFileImageStore(url.slice('file:'.length));
    },
  },
} satisfies Technology;
