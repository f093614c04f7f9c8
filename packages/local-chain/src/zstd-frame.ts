/**
 * Writes bytes as a zstd frame (RFC 8878) of uncompressed blocks, which every decoder accepts: clients request
 * `base64+zstd` by default, and compression saves nothing on loopback.
 */
const MAGIC = 0xfd2fb528;
/** Frame header: one segment with a four-byte content size, without dictionary and checksum. */
const DESCRIPTOR = 0b1010_0000;
const HEADER_SIZE = 9;
const BLOCK_HEADER_SIZE = 3;
const MAX_BLOCK = 128 * 1024;

export function zstdFrame(data: Uint8Array): Buffer {
  const blocks = Math.max(1, Math.ceil(data.length / MAX_BLOCK));
  const frame = Buffer.alloc(HEADER_SIZE + blocks * BLOCK_HEADER_SIZE + data.length);
  frame.writeUInt32LE(MAGIC, 0);
  frame.writeUInt8(DESCRIPTOR, 4);
  frame.writeUInt32LE(data.length, 5);
  let at = HEADER_SIZE;
  for (let block = 0; block < blocks; block += 1) {
    const bytes = data.subarray(block * MAX_BLOCK, (block + 1) * MAX_BLOCK);
    const isLast = block === blocks - 1;
    frame.writeUIntLE(bytes.length * 8 + (isLast ? 1 : 0), at, BLOCK_HEADER_SIZE);
    frame.set(bytes, at + BLOCK_HEADER_SIZE);
    at += BLOCK_HEADER_SIZE + bytes.length;
  }
  return frame;
}
