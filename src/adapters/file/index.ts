/** Files of this machine: token images and ledgers, each in a directory. Secrets are files too, whatever else is chosen. */
import { pathIn, type Technology } from '../../kernel/ports/technology.ts';

export const file = {
  'blob-store': {
    schemes: ['file'],

    async open({ url, content }) {
      const { blobFolderOf, openFileBlobStore } = await import('./blob-store.ts');
      const { folderTrouble } = await import('./folder-trouble.ts');
      const { probeFolder } = await import('./probe-folder.ts');
      const folder = pathIn(url);
      return {
        store: await openFileBlobStore(folder, content),
        place: folder,
        troubleOf: folderTrouble,
        probe: () => probeFolder(blobFolderOf(folder)),
      };
    },
  },
} satisfies Technology;
