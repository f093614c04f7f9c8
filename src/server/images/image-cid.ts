/** Names a stored image by its content: the CIDv1 (raw bytes, sha2-256, base32) of the served bytes. */
import { createHash } from 'node:crypto';
import { CID } from 'multiformats/cid';
import { create } from 'multiformats/hashes/digest';

const RAW = 0x55;
const SHA2_256 = 0x12;
const SHAPE = /^bafkrei[a-z2-7]{52}$/;

/** The CID's text, 59 characters that begin with `bafkrei`. */
export function imageCid(bytes: Uint8Array): string {
  const digest = createHash('sha256').update(bytes).digest();
  return CID.createV1(RAW, create(SHA2_256, digest)).toString();
}

/**
 * The text itself if `imageCid` could have made it, else undefined: other versions, codecs, hashes, bases, upper case and stray padding
 * bits are refused. The result holds only lower-case letters and digits, so it is safe as a file name.
 */
export function parseImageCid(text: string): string | undefined {
  if (!SHAPE.test(text)) return undefined;
  try {
    const cid = CID.parse(text);
    const isOurs = cid.version === 1 && cid.code === RAW && cid.multihash.code === SHA2_256;
    return isOurs && cid.multihash.digest.length === 32 && cid.toString() === text ? text : undefined;
  } catch {
    return undefined;
  }
}
