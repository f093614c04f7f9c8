/** Requests as bytes, spoiled where no HTTP client would let anybody. */
import type { Random } from './random.ts';
import type { FuzzRequest } from './requests.ts';

type Spoiling = (request: FuzzRequest, random: Random) => Buffer;

const SPOILINGS: readonly Spoiling[] = [
  (request, random) => withNoise(bytesOf(request), random),
  (request, random) => withNoise(bytesOf(request), random),
  (request, random) => {
    const whole = bytesOf(request);
    return whole.subarray(0, random.below(whole.length));
  },
  (request) => Buffer.from(bytesOf(request).toString('latin1').replaceAll('\r\n', '\n'), 'latin1'),
  (request) => bytesOf(request, { version: 'HTTP/1.0' }),
  (request) => bytesOf(request, { version: 'HTTP/0.9' }),
  (request) => bytesOf(request, { version: 'HTTP/2.0' }),
  (request) => bytesOf(request, { version: '' }),
  (request, random) =>
    bytesOf(request, {
      method: random.pick(['CONNECT', 'get', 'GE\tT', '', 'PRI', 'X'.repeat(50), 'SUBSCRIBE']),
    }),
  (request, random) =>
    bytesOf(request, {
      target: random.pick([
        '*',
        'http://evil.example/tokens',
        '//',
        'tokens',
        ' /tokens',
        '/\0',
        '/\xff\xfe',
        '/é',
        '',
      ]),
    }),
  (request, random) =>
    bytesOf(request, {
      lines: random.pick([
        'content-length: 1',
        'content-length: 999999999999',
        'content-length: -1',
        'content-length: 0x10',
        'transfer-encoding: chunked',
        'transfer-encoding: gzip, chunked',
        'transfer-encoding: identity',
        'x-a: a\0b',
        ': no name',
        'no colon',
        ' folded: 1',
        'x y: 1',
        'host: again.example',
        `x: ${'x'.repeat(20_000)}`,
        Array.from({ length: 1_500 }, (_none, at) => `x${at}: 1`).join('\r\n'),
      ]),
    }),
  (request, random) =>
    Buffer.concat([
      bytesOf({ ...request, body: undefined }, { lines: 'transfer-encoding: chunked' }),
      Buffer.from(
        random.pick([
          'zz\r\n',
          '5\r\nab',
          'ffffffffffff\r\n',
          '-1\r\n\r\n',
          '1;x="\r\na\r\n0\r\n\r\n',
          '0\r\nx: 1',
        ]),
      ),
    ]),
  (request) => Buffer.concat([bytesOf(request), bytesOf(request)]),
  (_request, random) => random.bytes(random.between(1, 400)),
  () => Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  () => Buffer.from('\r\n'.repeat(500)),
];

/** Bytes for a connection of their own, which is to be closed after them. */
export function rawRequest(request: FuzzRequest, random: Random): Buffer {
  return random.pick(SPOILINGS)(request, random);
}

function bytesOf(
  request: FuzzRequest,
  changed: {
    readonly method?: string;
    readonly target?: string;
    readonly version?: string;
    readonly lines?: string;
  } = {},
): Buffer {
  const { method = request.method, target = request.target, version = 'HTTP/1.1', lines } = changed;
  const { headers, body } = request;
  const head = [
    `${method} ${target} ${version}`,
    'host: levy.test',
    'connection: close',
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : [`content-length: ${body.length}`]),
    ...(lines === undefined ? [] : [lines]),
  ].join('\r\n');
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), body ?? Buffer.alloc(0)]);
}

function withNoise(bytes: Buffer, random: Random): Buffer {
  const noisy = Buffer.from(bytes);
  for (let flips = random.between(1, 6); flips > 0; flips -= 1) {
    noisy[random.below(Math.min(noisy.length, 600))] = random.below(256);
  }
  return noisy;
}
