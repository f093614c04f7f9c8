/** Converts an uploaded PNG or JPEG into the stored form: JPEG, 512x512, sRGB, without metadata. */
import sharp from 'sharp';

/** The HTTP layer refuses larger uploads while they stream in. */
export const MAX_IMAGE_BYTES = 1024 * 1024;

/** Width and height in pixels. */
export const STORED_IMAGE_SIDE = 512;
const SMALL_IMAGE_SIDE = 128;
const MAX_PIXELS = 40_000_000;
const ENCODING = { quality: 85, mozjpeg: true };
const PNG_START = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const JPEG_START = Uint8Array.of(0xff, 0xd8, 0xff);
const JPEG_SCAN = Buffer.of(0xff, 0xda);
/** Encoders write about ten. Each scan visits every pixel again: 360 kB of tiny scans took 17 s to decode. */
const MAX_JPEG_SCANS = 100;

type ImageRefusal = 'unsupported' | 'unreadable' | 'too-many-pixels';

export type ProcessedImage =
  | { readonly ok: true; readonly jpeg: Uint8Array }
  | { readonly ok: false; readonly why: ImageRefusal };

// These settings apply to the whole process; no other module uses sharp. Only these two decoders may read an upload,
// whatever format the library detects.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer'] });
// One thread and no cache bound the cost of an image and make the output reproducible.
sharp.concurrency(1);
sharp.cache(false);

/**
 * Detects the format by content, never by name. Rotates by the EXIF orientation, flattens transparency onto white,
 * crops the centre square and scales it to 512x512. Uses the first frame of an animation. Callers process images
 * serially, because a hostile one needs half a gigabyte for a second. Rejects only for more than `MAX_IMAGE_BYTES`.
 */
export async function processImage(bytes: Uint8Array): Promise<ProcessedImage> {
  if (bytes.length > MAX_IMAGE_BYTES) {
    throw new RangeError(`the image has ${bytes.length} bytes; the maximum is ${MAX_IMAGE_BYTES}`);
  }
  const isJpeg = startsWith(bytes, JPEG_START);
  if (!isJpeg && !startsWith(bytes, PNG_START)) return { ok: false, why: 'unsupported' };
  if (isJpeg && scansIn(bytes) > MAX_JPEG_SCANS) return { ok: false, why: 'unreadable' };
  try {
    // Reads only the header, so that the limit is checked here and not parsed from an error message.
    const header = await sharp(bytes, { limitInputPixels: false }).metadata();
    if (header.width * header.height > MAX_PIXELS) return { ok: false, why: 'too-many-pixels' };
    const { width, height } = header.autoOrient;
    const square = Math.min(width, height);
    // Truncated and damaged images fail; decoder warnings, such as those about bytes that cameras write between
    // segments, do not.
    const jpeg = await sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', autoOrient: true })
      // Crops first: upscaling the shorter side of a very long image would overflow the coordinates.
      .extract({
        left: Math.floor((width - square) / 2),
        top: Math.floor((height - square) / 2),
        width: square,
        height: square,
      })
      .flatten({ background: '#ffffff' })
      .resize(STORED_IMAGE_SIDE, STORED_IMAGE_SIDE)
      .toColourspace('srgb')
      .jpeg(ENCODING)
      .toBuffer();
    return { ok: true, jpeg };
  } catch {
    return { ok: false, why: 'unreadable' };
  }
}

/** Scales a stored image to 128x128. Rejects for anything else than a JPEG. */
export async function thumbnailOf(jpeg: Uint8Array): Promise<Uint8Array> {
  return sharp(jpeg).resize(SMALL_IMAGE_SIDE, SMALL_IMAGE_SIDE).jpeg(ENCODING).toBuffer();
}

function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}

/** Counts the marker anywhere in the file: coded data never contains it, and metadata and trailing bytes only by chance. */
function scansIn(bytes: Uint8Array): number {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let scans = 0;
  for (let at = file.indexOf(JPEG_SCAN); at !== -1; at = file.indexOf(JPEG_SCAN, at + 1)) scans += 1;
  return scans;
}
