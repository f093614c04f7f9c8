/** Uploads that are no images, or no forms: each is refused by its code, nothing hangs and nothing is recorded. */
import sharp from 'sharp';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Creator, imageForm, openCreator, picture } from '../support/creator.ts';
import { exchange, requestText } from '../support/raw-http.ts';
import { openTestService, type TestService } from '../support/service.ts';

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

describe('an image', () => {
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

  test('needs a token before a byte of it is read', async () => {
    const head = requestText('POST', PATH, {
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': '1000000',
    });
    const answer = await exchange(service.url, head);
    expect(JSON.parse(answer.text)).toMatchObject({ code: 'UNAUTHENTICATED' });
  });
});

function partHead(field: string, name: string): string {
  return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: image/png\r\n\r\n`;
}

describe('an image that is served', () => {
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

  test('has a smaller size for lists, with an entity tag of its own', async () => {
    const { imageCid } = await creator.upload();
    const path = `/images/${imageCid}.jpg`;
    const [full, small] = [
      await creator.client.call('GET', path),
      await creator.client.call('GET', `${path}?size=small`),
    ];
    const sideOf = async ({ bytes }: typeof full) => (await sharp(bytes).metadata()).width;
    expect([await sideOf(full), await sideOf(small)]).toEqual([512, 128]);
    expect(small.headers.get('etag')).not.toBe(full.headers.get('etag'));
    const missing = path.replace(imageCid, imageCid.replaceAll('a', 'b'));
    await creator.client.refusal('IMAGE_NOT_FOUND', 'GET', `${missing}?size=small`);
  });
});
