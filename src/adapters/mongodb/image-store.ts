/** Keeps images in GridFS, in the bucket `images`: the file's name is the CID. */
import type { Db } from 'mongodb';
import { ContentDamaged } from '../../kernel/ports/content-damaged.ts';
import type { ImageStore } from '../../kernel/ports/image-store.ts';
import { imageCid, parseImageCid } from '../../server/images/image-cid.ts';
import { openGridFiles } from './grid-files.ts';
import type { ContentCheck } from './grid-reader.ts';

/** Nearly every image is one chunk. */
const CHUNK_BYTES = 1024 * 1024;

/** Closing it leaves the client open. */
export async function openMongoImageStore(
  database: Db,
  { mayBeAway }: { readonly mayBeAway?: boolean } = {},
): Promise<{ readonly store: ImageStore; readonly probe: () => Promise<void> }> {
  const grid = await openGridFiles({
    database,
    mayBeAway,
    bucket: 'images',
    chunkSize: CHUNK_BYTES,
    contentType: 'image/jpeg',
    what: 'image',
    createCheck,
  });
  const store: ImageStore = {
    async put(cid, bytes) {
      if (parseImageCid(cid) === undefined || imageCid(bytes) !== cid)
        throw new Error('the name is not the CID of the image');
      if ((await grid.isWhole(cid)) && (await grid.keep(cid))) return;
      await grid.store([bytes], () => cid);
    },

    async get(cid) {
      if (parseImageCid(cid) === undefined) return undefined;
      const bytes = await grid.read(cid, 0, Number.MAX_SAFE_INTEGER);
      if (bytes !== undefined && imageCid(bytes) !== cid) throw new ContentDamaged('image', cid, grid.where);
      return bytes;
    },

    async has(cid) {
      return parseImageCid(cid) !== undefined && (await grid.size(cid)) !== undefined;
    },

    keep: async (cid) => parseImageCid(cid) !== undefined && grid.keep(cid),
    leftAlone: grid.leftAlone,
    remove: async (cid, since) => parseImageCid(cid) !== undefined && grid.remove(cid, since),
    close: grid.close,
  };
  return { store, probe: grid.probe };
}

function createCheck(): ContentCheck {
  const pieces: Uint8Array[] = [];
  return {
    add: (bytes) => void pieces.push(bytes),
    isContentOf: (cid) => imageCid(Buffer.concat(pieces)) === cid,
  };
}
