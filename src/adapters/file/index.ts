/** Files of this machine: token images and blobs, each in a directory. Secrets are files too, whatever else is chosen. */
import type { Technology } from '../../kernel/ports/technology.ts';

export const file = {
  'blob-store': {
    schemes: ['file'],

    async open({ url }) {
      const { blobFolderOf, openFileBlobStore } = await import('./blob-store.ts');
      const folder = folderOf(url);
      return openedIn(folder, blobFolderOf(folder), openFileBlobStore);
    },
  },

  'image-store': {
    schemes: ['file'],

    async open({ url }) {
      const { openFileImageStore } = await import('./image-store.ts');
      const folder = folderOf(url);
      return openedIn(folder, folder, openFileImageStore);
    },
  },
} satisfies Technology;

function folderOf(url: string): string {
  return url.slice('file:'.length);
}

async function openedIn<Store>(folder: string, probed: string, open: (folder: string) => Promise<Store>) {
  const { folderTrouble } = await import('./folder-trouble.ts');
  const { probeFolder } = await import('./probe-folder.ts');
  return {
    store: await open(folder),
    place: folder,
    troubleOf: folderTrouble,
    probe: () => probeFolder(probed),
  };
}
