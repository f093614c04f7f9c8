/** Converts an uploaded PNG or JPEG into the stored form: JPEG, 512x512, sRGB, without metadata. */
import sharp from 'sharp';

/** The HTTP layer refuses larger uploads while they stream in. */
export const MAX_IMAGE_BYTES = 1024 * 1024;

/** In pixels: what is stored is square. */
export const STORED_IMAGE_SIDE = 512;
const MAX_PIXELS = 40_000_000;
const PNG_START = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const JPEG_START = Uint8Array.of(0xff, 0xd8, 0xff);
const JPEG_MARKER = 0xff;
const JPEG_MARKER_LENGTH = 2;
const JPEG_SCAN = 0xda;
const JPEG_END = 0xd9;
/** Encoders write about ten. Each scan visits every pixel again: 360 kB of tiny scans took 17 s to decode. */
const MAX_JPEG_SCANS = 100;

/**
 * The decoder's warning about a JPEG whose data end before the size in its header is filled: it makes up the rest. Other
 * warnings, such as bytes between segments that some cameras write, change nothing of the picture.
 */
const DATA_MISSING = /premature end/i;

export type ImageRefusal = 'unsupported' | 'unreadable' | 'too-many-pixels';

export type ProcessedImage =
  | { readonly ok: true; readonly jpeg: Uint8Array }
  | { readonly ok: false; readonly why: ImageRefusal };

// These settings hold for the whole process; nothing else uses sharp. Only these two decoders may see an upload, whatever format the
// library detects.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer'] });
// One thread and no cache bound the cost of an image and make equal inputs give equal bytes.
sharp.concurrency(1);
sharp.cache(false);

/**
 * Detects the format by content, never by name. Rotates as EXIF says, puts transparency onto white, crops the centre square and scales it
 * to 512x512. Takes the first frame of an animation. Callers process one image at a time, because a hostile one needs half a gigabyte
 * for a second. Rejects only for more than `MAX_IMAGE_BYTES`, which callers must not pass.
 */
export async function processImage(bytes: Uint8Array): Promise<ProcessedImage> {
  if (bytes.length > MAX_IMAGE_BYTES) {
    throw new RangeError(`an image has at most ${MAX_IMAGE_BYTES} bytes, not ${bytes.length}`);
  }
  const isJpeg = startsWith(bytes, JPEG_START);
  if (!isJpeg && !startsWith(bytes, PNG_START)) return { ok: false, why: 'unsupported' };
  if (!isDecodable(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), isJpeg)) {
    return { ok: false, why: 'unreadable' };
  }
  const { processed, warning } = await convert(bytes, isJpeg ? 'warning' : 'error');
  if (!isJpeg || warning === undefined || DATA_MISSING.test(warning)) return processed;
  return (await convert(bytes, 'error')).processed;
}

/** `warning`: what the decoder says of an image that it does not take at this strictness. */
async function convert(
  bytes: Uint8Array,
  failOn: 'error' | 'warning',
): Promise<{ readonly processed: ProcessedImage; readonly warning?: string }> {
  try {
    // Reads the header only, so that the limit is compared here and not parsed from an error message.
    const header = await sharp(bytes, { limitInputPixels: false }).metadata();
    if (header.width * header.height > MAX_PIXELS) return refused('too-many-pixels');
    const { width, height } = header.autoOrient;
    const square = Math.min(width, height);
    const jpeg = await sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn, autoOrient: true })
      // Crops first: scaling up the shorter side of a very long image would overflow the coordinates.
      .extract({
        left: Math.floor((width - square) / 2),
        top: Math.floor((height - square) / 2),
        width: square,
        height: square,
      })
      .flatten({ background: '#ffffff' })
      .resize(STORED_IMAGE_SIDE, STORED_IMAGE_SIDE)
      .toColourspace('srgb')
      .jpeg({ quality: 85, mozjpeg: true })
      .toBuffer();
    return { processed: { ok: true, jpeg } };
  } catch (error) {
    return { ...refused('unreadable'), warning: String(error) };
  }
}

function refused(why: ImageRefusal) {
  return { processed: { ok: false, why } } as const;
}

function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}

const PNG_SIGNATURE_LENGTH = 8;
/** Length, type and check sum. */
const PNG_CHUNK_OVERHEAD = 12;

/** Whether the file reaches its end, in a number of scans that can be decoded. Bytes after the end are ignored. */
function isDecodable(file: Buffer, isJpeg: boolean): boolean {
  if (!isJpeg) return hasLastChunk(file);
  const { scans, isWhole } = scansOf(file);
  return isWhole && scans <= MAX_JPEG_SCANS;
}

/**
 * Walks the segments as decoders do, so that bytes in metadata, in thumbnails and behind the end (a motion photo's film) count
 * for nothing. `isWhole`: the end follows a scan.
 */
function scansOf(file: Buffer): { readonly scans: number; readonly isWhole: boolean } {
  let scans = 0;
  let at = JPEG_MARKER_LENGTH;
  for (;;) {
    // Between markers there may be entropy-coded data, where 0xff is followed by 0, and bytes that mean nothing.
    at = file.indexOf(JPEG_MARKER, at);
    if (at === -1 || at + 1 >= file.length) return { scans, isWhole: false };
    const marker = file[at + 1] ?? 0;
    if (marker === JPEG_MARKER) {
      at += 1;
      continue;
    }
    at += JPEG_MARKER_LENGTH;
    if (marker === JPEG_END) return { scans, isWhole: scans > 0 };
    if (isJpegMarkerAlone(marker)) continue;
    if (marker === JPEG_SCAN) scans += 1;
    if (at + 2 > file.length) return { scans, isWhole: false };
    at += file.readUInt16BE(at);
  }
}

/** Has no length behind it: a stuffed zero, TEM, a restart, or the beginning. */
function isJpegMarkerAlone(marker: number): boolean {
  return marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8);
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
