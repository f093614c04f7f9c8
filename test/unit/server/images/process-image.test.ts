import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { MAX_IMAGE_BYTES, processImage } from '../../../../src/server/images/process-image.ts';
import { chunk, colour, header, png } from '../../../support/png.ts';

type Rgb = readonly [number, number, number];

const RED: Rgb = [255, 0, 0];
const GREEN: Rgb = [0, 255, 0];
const BLUE: Rgb = [0, 0, 255];
const YELLOW: Rgb = [255, 255, 0];

async function stored(bytes: Uint8Array): Promise<Uint8Array> {
  const result = await processImage(bytes);
  if (!result.ok) throw new Error(`refused: ${result.why}`);
  return result.jpeg;
}

/** The colours of a stored image at places given in parts of its sides. */
async function coloursAt(jpeg: Uint8Array, places: readonly (readonly [number, number])[]): Promise<Rgb[]> {
  const { data, info } = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true });
  expect([info.width, info.height, info.channels]).toEqual([512, 512, 3]);
  return places.map(([x, y]) => {
    const at = (Math.floor(y * 512) * 512 + Math.floor(x * 512)) * 3;
    return [data[at] ?? -1, data[at + 1] ?? -1, data[at + 2] ?? -1];
  });
}

const CENTRE = [[0.5, 0.5]] as const;
const QUARTERS = [
  [0.25, 0.25],
  [0.75, 0.25],
  [0.25, 0.75],
  [0.75, 0.75],
] as const;

function expectNear(found: readonly Rgb[], wanted: readonly Rgb[], tolerance = 12): void {
  expect(found).toHaveLength(wanted.length);
  for (const [index, rgb] of wanted.entries()) {
    for (const [channel, value] of rgb.entries()) {
      const difference = Math.abs((found[index]?.[channel] ?? Number.NaN) - value);
      expect(difference, `${found.join(' / ')} is not near ${wanted.join(' / ')}`).toBeLessThanOrEqual(
        tolerance,
      );
    }
  }
}

function rowOf(colours: readonly (readonly number[])[], each = 1): Buffer {
  return Buffer.concat(
    colours.map((rgb) => Buffer.concat(Array.from({ length: each }, () => Buffer.from(rgb)))),
  );
}

function rowsOf(row: Buffer, count: number): Buffer[] {
  return Array.from({ length: count }, () => row);
}

/** Red and green over blue and yellow. */
function quarters(side = 64): Buffer {
  const upper = rowOf([RED, GREEN], side / 2);
  const lower = rowOf([BLUE, YELLOW], side / 2);
  return png({ width: side }, [...rowsOf(upper, side / 2), ...rowsOf(lower, side / 2)]);
}

function plain(rgb: Rgb, width = 64, height = 64) {
  const [r, g, b] = rgb;
  return sharp({ create: { width, height, channels: 3, background: { r, g, b } } });
}

/** Valid in every scan: after the first, each one refines coefficients, and finds them all zero. */
async function jpegOfManyScans(scans: number): Promise<Buffer> {
  const whole = await plain(RED).jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer();
  const segments: Buffer[] = [];
  for (let at = 2; whole[at + 1] !== 0xd9; ) {
    let end = at + 2 + whole.readUInt16BE(at + 2);
    // The coded data of a scan end at the next marker; 0xff 0x00 is data.
    if (whole[at + 1] === 0xda) while (whole[end] !== 0xff || whole[end + 1] === 0) end += 1;
    segments.push(whole.subarray(at, end));
    at = end;
  }
  const isScan = (segment: Buffer) => segment[1] === 0xda;
  const first = segments.findIndex(isScan);
  const acScan = segments.findIndex((segment, index) => index > first && isScan(segment) && segment[5] === 3);
  const [table, zeros] = [segments[acScan - 1], segments[acScan]];
  if (table === undefined || zeros === undefined)
    throw new Error('the encoder wrote no scan of one component');
  const more = Array.from({ length: scans - 1 }, (_none, index) => {
    const scan = Buffer.from(zeros);
    const [coefficient, lowBit] = [1 + Math.floor(index / 10), 9 - (index % 10)];
    scan.set([coefficient, coefficient, lowBit === 9 ? lowBit : ((lowBit + 1) << 4) | lowBit], 7);
    return scan;
  });
  return Buffer.concat([
    whole.subarray(0, 2),
    ...segments.slice(0, first + 1),
    table,
    ...more,
    whole.subarray(-2),
  ]);
}

describe('what is accepted', () => {
  test('a PNG and a JPEG become a JPEG of 512 by 512', async () => {
    for (const input of [quarters(), await sharp(quarters()).jpeg({ quality: 100 }).toBuffer()]) {
      const jpeg = await stored(input);
      expect((await sharp(jpeg).metadata()).format).toBe('jpeg');
      expectNear(await coloursAt(jpeg, QUARTERS), [RED, GREEN, BLUE, YELLOW]);
    }
  });

  test('equal bytes give an equal image, so an equal CID', async () => {
    const [once, again] = [await stored(quarters()), await stored(quarters())];
    expect(Buffer.from(again)).toEqual(Buffer.from(once));
  });

  test('of a wide or a high image the centre square is kept', async () => {
    const wide = png({ width: 300 }, rowsOf(rowOf([RED, GREEN, BLUE], 100), 100));
    expectNear(await coloursAt(await stored(wide), QUARTERS), [GREEN, GREEN, GREEN, GREEN]);
    const high = png(
      { width: 100 },
      [RED, GREEN, BLUE].flatMap((rgb) => rowsOf(rowOf([rgb], 100), 100)),
    );
    expectNear(await coloursAt(await stored(high), QUARTERS), [GREEN, GREEN, GREEN, GREEN]);
  });

  test('millions of pixels in one row are an image like any other', async () => {
    const line = png({ width: 39_000_000, colourType: colour.gray }, [Buffer.alloc(39_000_000, 128)]);
    expect(line.length).toBeLessThan(MAX_IMAGE_BYTES);
    expectNear(await coloursAt(await stored(line), CENTRE), [[128, 128, 128]]);
  });

  test('transparency is put onto white', async () => {
    const rgba = rowOf(
      [
        [255, 0, 0, 0],
        [255, 0, 0, 128],
      ],
      32,
    );
    const jpeg = await stored(png({ width: 64, colourType: colour.rgba }, rowsOf(rgba, 64)));
    expectNear(await coloursAt(jpeg, QUARTERS.slice(0, 2)), [
      [255, 255, 255],
      [255, 127, 127],
    ]);
    const grayAlpha = rowsOf(rowOf([[0, 0]], 64), 64);
    expectNear(
      await coloursAt(await stored(png({ width: 64, colourType: colour.grayAlpha }, grayAlpha)), CENTRE),
      [[255, 255, 255]],
    );
  });

  test('CMYK becomes sRGB', async () => {
    const cmyk = await plain([200, 30, 40]).toColourspace('cmyk').jpeg({ quality: 100 }).toBuffer();
    expect((await sharp(cmyk).metadata()).space).toBe('cmyk');
    const jpeg = await stored(cmyk);
    expect((await sharp(jpeg).metadata()).space).toBe('srgb');
    expectNear(await coloursAt(jpeg, CENTRE), [[200, 30, 40]], 30);
  });

  test('a colour profile is applied to the pixels and not kept', async () => {
    const wideGamut = await plain([0, 180, 0]).withIccProfile('p3').png().toBuffer();
    const asIs = await coloursAt(await stored(await plain([0, 180, 0]).png().toBuffer()), CENTRE);
    const jpeg = await stored(wideGamut);
    expect((await sharp(jpeg).metadata()).icc).toBeUndefined();
    // The same colour, so the same look: only with the profile dropped unread would the numbers differ.
    expectNear(await coloursAt(jpeg, CENTRE), asIs);
    const rawNumbers = await sharp(wideGamut, { ignoreIcc: true }).raw().toBuffer();
    expect(rawNumbers[0]).toBeGreaterThan(40);
  });

  test('an oblong photograph that lies on its side is cropped after it was turned', async () => {
    const oblong = png({ width: 200 }, rowsOf(rowOf([RED, GREEN, GREEN, BLUE], 50), 100));
    const jpeg = await sharp(oblong).withMetadata({ orientation: 6 }).jpeg({ quality: 100 }).toBuffer();
    expectNear(await coloursAt(await stored(jpeg), QUARTERS), [GREEN, GREEN, GREEN, GREEN]);
  });

  test('no metadata remain: no position, no profile, no comment', async () => {
    const tagged = await plain(RED)
      .withExif({
        IFD0: { Copyright: 'SECRET-OWNER' },
        IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
      })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">SECRET-XMP</x:xmpmeta>')
      .withIccProfile('p3')
      .jpeg()
      .toBuffer();
    expect(tagged.includes('SECRET-OWNER')).toBe(true);
    const jpeg = Buffer.from(await stored(tagged));
    const { exif, icc, xmp, iptc, orientation } = await sharp(jpeg).metadata();
    expect({ exif, icc, xmp, iptc, orientation }).toEqual({});
    expect(jpeg.includes('SECRET')).toBe(false);
    expect(jpeg.includes('Exif')).toBe(false);
  });
});

test('a JPEG with bytes between its segments is taken, as some cameras write it', async () => {
  const jpeg = await plain(RED).jpeg().toBuffer();
  const odd = Buffer.concat([jpeg.subarray(0, -2), Buffer.from([0, 1, 2, 3]), jpeg.subarray(-2)]);
  expectNear(await coloursAt(await stored(odd), CENTRE), [RED]);
});

describe('what is refused', () => {
  test('anything that is not PNG or JPEG by content', async () => {
    const pixels = plain(RED, 8, 8);
    const others = {
      nothing: Buffer.alloc(0),
      text: Buffer.from('hello, I am image.png'),
      svg: Buffer.from(
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
      ),
      gif: await pixels.clone().gif().toBuffer(),
      'a PNG after a space': Buffer.concat([Buffer.from(' '), quarters()]),
    };
    for (const [name, bytes] of Object.entries(others)) {
      expect(await processImage(bytes), name).toEqual({ ok: false, why: 'unsupported' });
    }
  });

  test('another format behind the first bytes of a PNG or JPEG', async () => {
    const gif = await plain(RED, 8, 8).gif().toBuffer();
    const starts = [Buffer.of(0xff, 0xd8, 0xff), quarters().subarray(0, 8)];
    for (const start of starts) {
      for (const rest of [gif, Buffer.alloc(0), Buffer.alloc(100, 0xff)]) {
        expect(await processImage(Buffer.concat([start, rest]))).toEqual({ ok: false, why: 'unreadable' });
      }
    }
  });

  test('a cut-off image, wherever it was cut', async () => {
    const whole = sharp(quarters(200));
    const jpeg = await whole.clone().jpeg().toBuffer();
    const file = await whole.clone().png().toBuffer();
    for (const part of [0.02, 0.1, 0.5, 0.95]) {
      for (const image of [jpeg, file]) {
        expect(await processImage(image.subarray(0, Math.floor(image.length * part))), `${part}`).toEqual({
          ok: false,
          why: 'unreadable',
        });
      }
    }
  });

  test.each([
    ['a film', 'MotionPhoto_Data', [0xff, 0xda, 0, 8]],
    ['a second picture', 'MPF', [0xff, 0xd8, 0xff, 0xd9, 0xff, 0xda]],
  ])('no JPEG for %s behind its end', async (_what, name, marker) => {
    const whole = await plain(RED).jpeg().toBuffer();
    const film = Buffer.concat([Buffer.from(name), Buffer.from(marker), Buffer.from([7, 0xff, 0xd9])]);
    expectNear(await coloursAt(await stored(Buffer.concat([whole, film])), CENTRE), [RED]);
  });

  test('a PNG whose pixels are damaged', async () => {
    const damaged = quarters();
    const at = damaged.indexOf('IDAT') + 20;
    damaged[at] = (damaged[at] ?? 0) ^ 0xff;
    expect(await processImage(damaged)).toEqual({ ok: false, why: 'unreadable' });
  });

  test('a small file that unfolds into more than 40 megapixels', async () => {
    const row = Buffer.alloc(7000);
    const bomb = png({ width: 7000, colourType: colour.gray }, rowsOf(row, 6000));
    expect(bomb.length).toBeLessThan(MAX_IMAGE_BYTES / 10);
    expect(await processImage(bomb)).toEqual({ ok: false, why: 'too-many-pixels' });
  });

  test('a header that claims a size beyond all bounds', async () => {
    const liar = (width: number, height: number) =>
      Buffer.concat([header(width, height, 8, colour.rgb), chunk('IDAT', deflateSync(Buffer.alloc(10)))]);
    for (const image of [liar(100_000, 100_000), liar(0x7fffffff, 0x7fffffff), liar(0, 5)]) {
      expect((await processImage(image)).ok).toBe(false);
    }
  });

  test('text chunks that unfold into gigabytes cost nothing', async () => {
    const unfolds = chunk(
      'zTXt',
      Buffer.concat([Buffer.from('a\0\0'), deflateSync(Buffer.alloc(100_000_000))]),
    );
    const image = png({ width: 64 }, rowsOf(rowOf([RED], 64), 64), [unfolds]);
    expect(image.length).toBeLessThan(MAX_IMAGE_BYTES);
    expectNear(await coloursAt(await stored(image), CENTRE), [RED]);
  });

  test('a JPEG with more scans than an encoder makes, for each costs a pass over all pixels', async () => {
    expectNear(await coloursAt(await stored(await jpegOfManyScans(90)), CENTRE), [RED]);
    expect(await processImage(await jpegOfManyScans(120))).toEqual({ ok: false, why: 'unreadable' });
  });

  test('more than a megabyte is a fault of the caller', async () => {
    await expect(processImage(Buffer.alloc(MAX_IMAGE_BYTES + 1))).rejects.toThrow(RangeError);
    expect(await processImage(Buffer.alloc(MAX_IMAGE_BYTES))).toEqual({ ok: false, why: 'unsupported' });
  });
});
