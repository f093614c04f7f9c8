// Builds PNG files chunk by chunk, so that tests can make the ones that no honest encoder makes.
import { crc32, deflateSync } from 'node:zlib';

export const colour = { gray: 0, rgb: 2, palette: 3, grayAlpha: 4, rgba: 6 } as const;

const SIGNATURE = Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

export function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}

/** The bytes before the pixels. `depth` is in bits a channel. */
export function header(width: number, height: number, depth: number, colourType: number): Buffer {
  const ihdr = Buffer.alloc(13);
  ihdr.writeUInt32BE(width, 0);
  ihdr.writeUInt32BE(height, 4);
  ihdr[8] = depth;
  ihdr[9] = colourType;
  return Buffer.concat([SIGNATURE, chunk('IHDR', ihdr)]);
}

/** A PNG of `rows`, each without its filter byte. `extra` chunks stand before the pixels. */
export function png(
  size: { readonly width: number; readonly depth?: number; readonly colourType?: number },
  rows: readonly Uint8Array[],
  extra: readonly Uint8Array[] = [],
): Buffer {
  const filtered = rows.flatMap((row) => [Buffer.of(0), row]);
  return Buffer.concat([
    header(size.width, rows.length, size.depth ?? 8, size.colourType ?? colour.rgb),
    ...extra,
    chunk('IDAT', deflateSync(Buffer.concat(filtered))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
