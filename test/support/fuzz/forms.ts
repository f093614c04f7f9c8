/** Multipart forms: an image as the service takes it, and everything that is not quite one. */
import { picture } from '../creator.ts';
import { hostileText } from './hostile-values.ts';
import type { Random } from './random.ts';

export interface Form {
  readonly contentType: string;
  readonly body: Buffer;
}

interface Part {
  /** Lines before the bytes. */
  readonly head: readonly string[];
  readonly bytes: Uint8Array;
}

const BOUNDARY = 'levy-fuzz';
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>');
const OVERSIZE = Buffer.alloc(1024 * 1024 + 1, 'x');

const file = (bytes: Uint8Array, name = 'image', fileName = 'a.png'): Part => ({
  head: [`Content-Disposition: form-data; name="${name}"; filename="${fileName}"`, 'Content-Type: image/png'],
  bytes,
});

/** New pictures cost time, and an upload of the same one is as good. */
const pictures = Array.from({ length: 12 }, () => picture());

export function validForm(random: Random): Form {
  return formOf([file(random.pick(pictures))]);
}

type Spoiling = (random: Random, bytes: Uint8Array) => Form;

const SPOILINGS: readonly Spoiling[] = [
  (_random, bytes) => formOf([file(bytes, 'file')]),
  (_random, bytes) => formOf([file(bytes), file(bytes)]),
  () => formOf([]),
  (_random, bytes) => formOf([{ head: ['Content-Disposition: form-data; name="image"'], bytes }]),
  (_random, bytes) =>
    formOf([file(bytes), { head: ['Content-Disposition: form-data; name="x"'], bytes: SVG }]),
  (random, bytes) => formOf([file(bytes.subarray(0, random.below(bytes.length)))]),
  (random, bytes) => formOf([file(withNoise(bytes, random))]),
  () => formOf([file(SVG)]),
  () => formOf([file(Buffer.alloc(0))]),
  () => formOf([file(Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0]))]),
  () => formOf([file(Buffer.from('GIF89a\u0001\0\u0001\0\0\0\0;', 'latin1'))]),
  () => formOf([file(OVERSIZE)]),
  (random, bytes) => formOf([file(bytes, 'image', headerSafe(hostileText(random)))]),
  (random, bytes) => formOf([file(bytes, headerSafe(hostileText(random)))]),
  (_random, bytes) => formOf([{ head: [], bytes }]),
  (_random, bytes) => formOf([{ head: Array.from({ length: 50 }, (_none, at) => `X-${at}: 1`), bytes }]),
  (_random, bytes) => formOf([{ ...file(bytes), head: ['Content-Transfer-Encoding: base64'] }]),
  (random, bytes) => {
    const { contentType, body } = formOf([file(bytes)]);
    return { contentType, body: body.subarray(0, random.below(body.length)) };
  },
  (_random, bytes) => ({ ...formOf([file(bytes)]), contentType: 'multipart/form-data' }),
  (_random, bytes) => ({ ...formOf([file(bytes)]), contentType: 'multipart/form-data; boundary=other' }),
  (_random, bytes) => ({ ...formOf([file(bytes)]), contentType: 'multipart/form-data; boundary=""' }),
  (_random, bytes) => ({ ...formOf([file(bytes)]), contentType: 'multipart/mixed; boundary=levy-fuzz' }),
  (_random, bytes) => ({ ...formOf([file(bytes)]), contentType: 'application/json' }),
  (_random, bytes) => ({
    ...formOf([file(bytes)]),
    contentType: `multipart/form-data; boundary=${'b'.repeat(300)}`,
  }),
  (_random, bytes) => ({ contentType: 'image/png', body: Buffer.from(bytes) }),
];

export function spoiledForm(random: Random): Form {
  return random.pick(SPOILINGS)(random, random.pick(pictures));
}

function formOf(parts: readonly Part[]): Form {
  const chunks = parts.flatMap(({ head, bytes }) => [
    Buffer.from(`--${BOUNDARY}\r\n${head.join('\r\n')}\r\n\r\n`),
    bytes,
    Buffer.from('\r\n'),
  ]);
  return {
    contentType: `multipart/form-data; boundary=${BOUNDARY}`,
    body: Buffer.concat([...chunks, Buffer.from(`--${BOUNDARY}--\r\n`)]),
  };
}

function withNoise(bytes: Uint8Array, random: Random): Uint8Array {
  const noisy = Uint8Array.from(bytes);
  for (let flips = random.between(1, 8); flips > 0; flips -= 1)
    noisy[random.below(noisy.length)] = random.below(256);
  return noisy;
}

/** Of a header: what ends it would make another request of it, which is for those to try that write bytes. */
function headerSafe(text: string): string {
  return text.replaceAll(/[\r\n"]/g, '');
}
