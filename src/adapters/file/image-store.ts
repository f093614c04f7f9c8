/** Keeps images as files named by their content: `<directory>/<two characters of the CID>/<cid>.jpg`. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ContentDamaged } from '../../kernel/ports/content-damaged.ts';
import type { ImageStore } from '../../kernel/ports/image-store.ts';
import { imageCid, parseImageCid } from '../../server/images/image-cid.ts';
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

/** The path of an image in the directory of a store. The name must be a CID. */
export function imagePath(cid: string): string {
  return `${cid.slice(-3, -1)}/${cid}${EXTENSION}`;
}

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
      await store(cid, {
        isWhole: async (path) => imageCid(await readFile(path)) === cid,
        write: (path) =>
          writeDurably(path, bytes, { mode: 0o644, temporaryDirectory: incoming, replace: true }),
      });
    },

    async get(cid) {
      const path = pathOf(cid);
      if (path === undefined) return undefined;
      const bytes = await readFile(path).catch((error: unknown) => {
        if (isAbsent(error)) return undefined;
        throw error;
      });
      if (bytes !== undefined && imageCid(bytes) !== cid)
        throw new ContentDamaged('image', cid, resolve(directory));
      return bytes;
    },

    has,
    keep,
    leftAlone,
    remove,
    async close() {},
  };
}
