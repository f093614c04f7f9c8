/** Uploads that are no images, or no forms: each is refused by its code, nothing hangs and nothing is recorded. */
import { connect } from 'node:net';
import sharp from 'sharp';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { problemFault } from '../support/client.ts';
import { type Creator, imageForm, openCreator, picture, type UploadedImage } from '../support/creator.ts';
import { exchange, requestText } from '../support/raw-http.ts';
import { openTestService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const PATH = '/tokens/upload-image';
const MEGABYTE = 1024 * 1024;
const BOUNDARY = 'levy-boundary';

let service: TestService;
let creator: Creator;
let recordedBefore = 0;

beforeAll(async () => {
  service = await openTestService({ NONCE_ACCOUNTS_MIN: '0' });
  creator = await openCreator(service, { sol: 0 });
});

beforeEach(() => {
  recordedBefore = service.recorded.length;
});

afterEach(() => {
  expect(service.logged.filter(({ level }) => level >= 50)).toEqual([]);
});

function drawing(width: number, height: number) {
  return sharp({ create: { width, height, channels: 3, background: '#123a5a' } });
}

/** A PNG of so many bytes: what follows the end of the image is looked at by nobody. */
function pngOf(byteLength: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(byteLength);
  bytes.set(picture());
  return bytes;
}

async function refused(code: Parameters<Creator['client']['refusal']>[0], body: FormData): Promise<void> {
  await creator.client.refusal(code, 'POST', PATH, { token: creator.token, body });
  expect(service.recorded.slice(recordedBefore)).toEqual([]);
}

test('one network has eight uploads under way at most; the next is refused before a byte of it is read', async () => {
  const { hostname, port } = new URL(service.url);
  const head = requestText('POST', PATH, {
    authorization: `Bearer ${creator.token}`,
    'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
    'content-length': '100000',
  });
  let told = '';
  const begun = Array.from({ length: 9 }, () => {
    const socket = connect(Number(port), hostname, () => socket.write(head));
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      told += String(chunk);
    });
    return socket;
  });
  const upload = () =>
    creator.client.call('POST', PATH, { token: creator.token, body: imageForm(picture()) });
  await until(async () => (told.includes('"code":"RATE_LIMITED"') ? true : undefined));
  const refused = await upload();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
  for (const socket of begun) socket.destroy();
  await until(async () => ((await upload()).status === 200 ? true : undefined));
});

describe('an image', () => {
  test('may have exactly one megabyte', async () => {
    expect(await creator.upload(pngOf(MEGABYTE))).toMatchObject({ success: true });
  });

  test('of one byte more is refused', async () => {
    await refused('IMAGE_TOO_LARGE', imageForm(pngOf(MEGABYTE + 1)));
  });

  test('of many megabytes is refused while it arrives, told ahead or not', async () => {
    await refused('IMAGE_TOO_LARGE', imageForm(pngOf(20 * MEGABYTE)));
    const head = requestText('POST', PATH, {
      authorization: `Bearer ${creator.token}`,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'transfer-encoding': 'chunked',
    });
    // The chunk is never ended: whoever waits for the whole form waits for ever.
    const start = Buffer.concat([Buffer.from(partHead('image', 'a.png')), pngOf(2 * MEGABYTE)]);
    const answer = await exchange(
      service.url,
      Buffer.concat([Buffer.from(`${head}${(20 * MEGABYTE).toString(16)}\r\n`), start]),
    );
    expect(answer.status).toBe(413);
    expect(JSON.parse(answer.text)).toMatchObject({ code: 'IMAGE_TOO_LARGE' });
  });

  test.each([
    ['GIF', () => drawing(20, 20).gif().toBuffer()],
    ['WebP', () => drawing(20, 20).webp().toBuffer()],
    ['TIFF', () => drawing(20, 20).tiff().toBuffer()],
    ['AVIF', () => drawing(20, 20).avif().toBuffer()],
    ['SVG', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ['PDF', async () => Buffer.from('%PDF-1.7\n')],
    ['HTML', async () => Buffer.from('<html><script>alert(1)</script>')],
    ['a picture without its first byte', async () => Buffer.from(picture().slice(1))],
    ['nothing', async () => Buffer.alloc(0)],
  ])('by content, not by name: %s called picture.png is refused', async (_what, make) => {
    await refused('IMAGE_TYPE_UNSUPPORTED', imageForm(Uint8Array.from(await make())));
  });

  test('by content, not by name: a JPEG called picture.gif is taken', async () => {
    const form = imageForm(Uint8Array.from(await drawing(20, 10).jpeg().toBuffer()), { name: 'picture.gif' });
    const { status } = await creator.call('POST', PATH, { body: form });
    expect(status).toBe(200);
  });

  test('that is cut off or damaged is refused', async () => {
    const whole = await drawing(300, 300).png({ compressionLevel: 0 }).toBuffer();
    const jpeg = await drawing(300, 300).jpeg().toBuffer();
    const damaged = Buffer.from(whole).fill(0xff, 100, 5_000);
    for (const bytes of [whole.subarray(0, 1_000), whole.subarray(0, 8), jpeg.subarray(0, 100), damaged]) {
      await refused('IMAGE_UNREADABLE', imageForm(Uint8Array.from(bytes)));
    }
  });

  test('of more than forty million pixels is refused, however few its bytes', async () => {
    const bomb = await drawing(10_000, 4_001).png().toBuffer();
    expect(bomb.length).toBeLessThan(MEGABYTE);
    await refused('IMAGE_UNREADABLE', imageForm(Uint8Array.from(bomb)));
  });

  test('is turned into 512x512 without what it told about its maker', async () => {
    const photo = await drawing(40, 20)
      .withExif({ IFD0: { Copyright: 'a secret name' } })
      .jpeg()
      .toBuffer();
    const { imageUri } = await creator.upload(Uint8Array.from(photo));
    const served = Buffer.from(await (await fetch(imageUri)).arrayBuffer());
    expect(served.includes('a secret name')).toBe(false);
    expect(await sharp(served).metadata()).toMatchObject({ format: 'jpeg', width: 512, height: 512 });
  });
});

describe('the form', () => {
  test('must have one part, named image, that is a file', async () => {
    const two = imageForm(picture());
    two.append('image', new Blob([picture()]), 'second.png');
    const otherToo = imageForm(picture());
    otherToo.append('other', new Blob([picture()]), 'other.png');
    const fieldToo = imageForm(picture());
    fieldToo.append('note', 'hello');
    const text = new FormData();
    text.append('image', 'text');
    const fieldFirst = new FormData();
    fieldFirst.append('note', 'hello');
    fieldFirst.append('image', new Blob([picture()]), 'picture.png');
    const forms = [
      two,
      otherToo,
      fieldToo,
      text,
      fieldFirst,
      imageForm(picture(), { field: 'picture' }),
      new FormData(),
    ];
    for (const form of forms) await refused('VALIDATION_FAILED', form);
  });

  test('must be one at all', async () => {
    const others = [
      { body: picture(), headers: { 'content-type': 'image/png' } },
      { body: '{}', headers: { 'content-type': 'application/json' } },
      { body: 'image=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      {},
    ];
    for (const options of others) {
      await creator.client.refusal('UNSUPPORTED_MEDIA_TYPE', 'POST', PATH, {
        ...options,
        token: creator.token,
      });
    }
  });

  test('needs a token before a byte of it is read', async () => {
    const head = requestText('POST', PATH, {
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': '1000000',
    });
    const answer = await exchange(service.url, head);
    expect(JSON.parse(answer.text)).toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  const end = `\r\n--${BOUNDARY}--\r\n`;
  const file = picture();
  test.each([
    ['ends in the middle of the file', [partHead('image', 'a.png'), file.slice(0, 40)]],
    ['ends in the middle of the headers', [`--${BOUNDARY}\r\nContent-Disposition: form-da`]],
    ['ends before its last boundary', [partHead('image', 'a.png'), file, `\r\n--${BOUNDARY}`]],
    [
      'has another boundary than it says',
      [partHead('image', 'a.png').replaceAll(BOUNDARY, 'other'), file, end],
    ],
    ['has no boundary at all', [file]],
    ['is empty', ['\r\n']],
    ['has only its end', [`--${BOUNDARY}--\r\n`]],
    [
      'has a part without a name',
      [`--${BOUNDARY}\r\nContent-Disposition: form-data; filename="a.png"\r\n\r\n`, file, end],
    ],
    ['has a part without headers', [`--${BOUNDARY}\r\n\r\n`, file, end]],
    ['has headers without end', [`--${BOUNDARY}\r\n`, 'X-A: b\r\n'.repeat(5_000), '\r\n', file, end]],
    ['has a part named __proto__', [partHead('__proto__', 'a.png'), file, end]],
    ['has a hundred parts', [...Array(100).fill(`${partHead('image', 'a.png')}x\r\n`), end]],
  ])('is refused if it %s', async (_what, pieces) => {
    const body = Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
    const head = requestText('POST', PATH, {
      authorization: `Bearer ${creator.token}`,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': String(body.length),
    });
    const answer = await exchange(service.url, Buffer.concat([Buffer.from(head), body]));
    expect([400, 413, 415, 422]).toContain(answer.status);
    expect(problemFault(JSON.parse(answer.text), answer.status, answer.headers)).toBeUndefined();
    expect(service.recorded.slice(recordedBefore)).toEqual([]);
  });

  test.each([
    'multipart/form-data',
    'multipart/form-data; boundary=',
    `multipart/form-data; boundary="${'x'.repeat(300)}"`,
    'multipart/mixed; boundary=x',
  ])('is refused as %s', async (type) => {
    const options = { body: 'x', headers: { 'content-type': type }, token: creator.token };
    const { status } = await creator.client.call('POST', PATH, options);
    expect([400, 415]).toContain(status);
  });

  test('that is given up halfway leaves the service well', async () => {
    const head = requestText('POST', PATH, {
      authorization: `Bearer ${creator.token}`,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': '100000',
    });
    const giveUp = AbortSignal.timeout(300);
    await Promise.all(
      Array.from({ length: 10 }, () =>
        exchange(service.url, `${head}${partHead('image', 'a.png')}`, { giveUp }),
      ),
    );
    expect(await creator.upload()).toMatchObject({ success: true });
  });

  test('may come in many at once', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => creator.upload()));
    const distinct = new Set(all.map(({ imageCid }: UploadedImage) => imageCid));
    expect(distinct.size).toBe(8);
  });
});

function partHead(field: string, name: string): string {
  return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: image/png\r\n\r\n`;
}

describe('an image that is served', () => {
  test('is not found under any other name', async () => {
    const { imageCid } = await creator.upload();
    const names = [
      imageCid,
      `${imageCid}.png`,
      `${imageCid.toUpperCase()}.jpg`,
      `${imageCid}.jpg.jpg`,
      `${imageCid.slice(0, -1)}.jpg`,
      `x${imageCid}.jpg`,
      'bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy.jpg',
      '..%2f..%2fmaster-seed',
      '%00.jpg',
      '.jpg',
    ];
    for (const name of names) await creator.client.refusal('IMAGE_NOT_FOUND', 'GET', `/images/${name}`);
  });

  test('may be read by pages of any origin, and asked for without its bytes', async () => {
    const { imageCid } = await creator.upload();
    for (const method of ['GET', 'HEAD']) {
      const { status, headers, bytes } = await creator.client.call(method, `/images/${imageCid}.jpg`, {
        headers: { origin: 'https://anywhere.example' },
      });
      expect(status).toBe(200);
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('etag')).toBe(`"${imageCid}"`);
      expect(Number(headers.get('content-length'))).toBeGreaterThan(500);
      if (method === 'HEAD') expect(bytes).toHaveLength(0);
    }
  });
});
