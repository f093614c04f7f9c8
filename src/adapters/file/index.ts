/** File adapter: token images and ledgers, each in a directory. Secrets are always files. */
import { pathIn, type Technology } from '../../kernel/ports/technology.ts';

export const file = {
  'blob-store': {
    schemes: ['file'],

    async open({ url, content }) {
      const { folderTrouble, openFileBlobStore, probeFolder } = await import('./blob-store.ts');
      const folder = pathIn(url);
      return {
        store: await openFileBlobStore(folder, content),
        place: folder,
        troubleOf: folderTrouble,
        probe: () => probeFolder(folder),
      };
    },
  },
} satisfies Technology;
