/** CIDv1 (raw bytes, sha2-256, base32) of a stored image, which contains the SHA-256 that names the image's blob. */
import { CID } from 'multiformats/cid';
import { create } from 'multiformats/hashes/digest';

const RAW = 0x55;
const SHA2_256 = 0x12;
const SHAPE = /^bafkrei[a-z2-7]{52}$/;

/** Text of the CID: 59 characters, starting with `bafkrei`. */
export function imageCid(sha256: string): string {
  return CID.createV1(RAW, create(SHA2_256, Buffer.from(sha256, 'hex'))).toString();
}

/**
 * Returns the SHA-256 in a CID that `imageCid` wrote, else undefined: other versions, codecs, hashes, bases, upper case
 * and stray padding bits are refused.
 */
export function sha256OfCid(text: string): string | undefined {
  if (!SHAPE.test(text)) return undefined;
  try {
    const sha256 = Buffer.from(CID.parse(text).multihash.digest).toString('hex');
    return imageCid(sha256) === text ? sha256 : undefined;
  } catch {
    return undefined;
  }
}

const EXTENSION = '.jpg';

/** File name of an image: `<cid>.jpg`. */
function imageFileName(cid: string): string {
  return `${cid}${EXTENSION}`;
}

export function imageUriOf(publicUrl: string, cid: string): string {
  return `${publicUrl}/images/${imageFileName(cid)}`;
}

/** Returns the CID in a file name; undefined if it is not an image's name. */
export function cidOfFileName(name: string): string | undefined {
  const cid = name.slice(0, -EXTENSION.length);
  return name.endsWith(EXTENSION) && sha256OfCid(cid) !== undefined ? cid : undefined;
}

/** Returns the CID in an image's address with any base URL, so that images are still found after the service moves. */
export function cidOfImageUri(uri: string): string | undefined {
  if (!URL.canParse(uri)) return undefined;
  const { pathname } = new URL(uri);
  return cidOfFileName(pathname.slice(pathname.lastIndexOf('/') + 1));
}
