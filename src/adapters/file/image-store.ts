/** Keeps images as files named by their content: `<directory>/<two characters of the CID>/<cid>.jpg`. */
import { readFile } from 'node:fs/promises';
import { imageCid, parseImageCid } from '../../images/image-cid.ts';
import type { ImageStore } from '../../ports/image-store.ts';
import { writeDurably } from './durable-file.ts';
import { isAbsent, type Naming, openLeftAloneFiles } from './left-alone-files.ts';

const EXTENSION = '.jpg';

const naming: Naming = {
  what: 'image store',
  placeOf(cid) {
    const name = parseImageCid(cid);
    // The first characters are equal in all CIDs, and the last one carries three bits only.
    return name === undefined ? undefined : { shard: name.slice(-3, -1), file: `${name}${EXTENSION}` };
  },
  nameOf: (file) => file.slice(0, -EXTENSION.length),
};

/** Creates the directory if missing. Rejects if it is not writable. */
export async function openFileImageStore(directory: string): Promise<ImageStore> {
  const { incoming, pathOf, store, has, keep, leftAlone, remove } = await openLeftAloneFiles(
    directory,
    naming,
  );
  return {
    async put(cid, bytes) {
      if (pathOf(cid) === undefined || imageCid(bytes) !== cid)
        throw new Error('the name is not the CID of the image');
      await store(cid, (path) =>
        writeDurably(path, bytes, { mode: 0o644, temporaryDirectory: incoming, replace: true }),
      );
    },

    async get(cid) {
      const path = pathOf(cid);
      if (path === undefined) return undefined;
      try {
        return await readFile(path);
      } catch (error) {
        if (isAbsent(error)) return undefined;
        throw error;
      }
    },

    has,
    keep,
    leftAlone,
    remove,
    async close() {},
  };
}
