/** Converts between a stored image's CID and the address it is served at. */
import { sha256OfCid } from './image-cid.ts';

const EXTENSION = '.jpg';

/** The file name in the address: `<cid>.jpg`. */
function imageFileName(cid: string): string {
  return `${cid}${EXTENSION}`;
}

export function imageUriOf(publicUrl: string, cid: string): string {
  return `${publicUrl}/images/${imageFileName(cid)}`;
}

/** The CID in a file name; undefined if it is not an image's name. */
export function cidOfFileName(name: string): string | undefined {
  const cid = name.slice(0, -EXTENSION.length);
  return name.endsWith(EXTENSION) && sha256OfCid(cid) !== undefined ? cid : undefined;
}

/** The CID in an image's address, whatever its base, so that images stay known when the service moves. */
export function cidOfImageUri(uri: string): string | undefined {
  if (!URL.canParse(uri)) return undefined;
  const { pathname } = new URL(uri);
  return cidOfFileName(pathname.slice(pathname.lastIndexOf('/') + 1));
}
