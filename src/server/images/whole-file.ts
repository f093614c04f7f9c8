/**
 * Checks whether a PNG or JPEG is complete. The decoders do not: they fill in missing parts of a JPEG, and ignore rows that
 * are cropped away.
 */

const JPEG_FIRST_BYTE = 0xff;
const JPEG_SCAN = Buffer.of(0xff, 0xda);
const JPEG_END = Buffer.of(0xff, 0xd9);
const PNG_SIGNATURE_LENGTH = 8;
/** Length, type and check sum. */
const PNG_CHUNK_OVERHEAD = 12;

/** For bytes that begin like one of the two formats. Bytes after the end are ignored. */
export function isWhole(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return file[0] === JPEG_FIRST_BYTE ? endsAfterItsScans(file) : hasLastChunk(file);
}

/** Neither marker occurs within a scan; a thumbnail with markers of its own comes before the first. */
function endsAfterItsScans(file: Buffer): boolean {
  const lastScan = file.lastIndexOf(JPEG_SCAN);
  return lastScan !== -1 && file.lastIndexOf(JPEG_END) > lastScan;
}

function hasLastChunk(file: Buffer): boolean {
  let at = PNG_SIGNATURE_LENGTH;
  while (at + PNG_CHUNK_OVERHEAD <= file.length) {
    const end = at + PNG_CHUNK_OVERHEAD + file.readUInt32BE(at);
    if (end > file.length) return false;
    if (file.toString('latin1', at + 4, at + 8) === 'IEND') return true;
    at = end;
  }
  return false;
}
