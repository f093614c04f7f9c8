/** Wrong input over HTTP: a documented refusal, and nothing recorded. Each field's rules are in the tests of its schema. */
import { gzipSync } from 'node:zlib';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { commands } from '../../src/commands/index.ts';
import { queries } from '../../src/queries/index.ts';
import {
  type CallOptions,
  type Client,
  createClient,
  type Problem,
  problemFault,
} from '../support/client.ts';
import { exchange, type RawAnswer, requestText } from '../support/raw-http.ts';
import { openTestService, type TestService } from '../support/service.ts';

const SOME_ID = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const JSON_TYPE = { 'content-type': 'application/json' };
const WITH_BODY = '/auth/challenge';
const WITHOUT_BODY = '/tokens/generate-distribution-wallet';
const GOOD = { walletAddress: 'So11111111111111111111111111111111111111112' };

const definitions = [...commands, ...queries];
const routes = definitions.map(({ route: { method, url } }) => ({
  method: method as string,
  url,
  path: url.replace(/:\w+/g, SOME_ID),
}));

let service: TestService;
let client: Client;
let recordedBefore = 0;

beforeAll(async () => {
  service = await openTestService({ NONCE_ACCOUNTS_MIN: '0' });
  client = createClient(service.url);
});

beforeEach(() => {
  recordedBefore = service.recorded.length;
});

afterEach(() => {
  expect(service.recorded.slice(recordedBefore)).toEqual([]);
  expect(service.logged.filter(({ level }) => level >= 50)).toEqual([]);
});

async function expectRefused(path: string, options: CallOptions, refusal: readonly [number, string]) {
  const { status, body } = await client.call<Problem>('POST', path, options);
  const sent = String(options.body ?? JSON.stringify(options.json)).slice(0, 200);
  expect([sent, status, body?.code]).toEqual([sent, ...refusal]);
}

/** Checks a raw response as a byte-level client does. */
function expectProblem(answer: RawAnswer, statuses: readonly number[]): Problem {
  expect(statuses).toContain(answer.status);
  const problem: Problem = JSON.parse(answer.text);
  // A malformed request line has no path, or has other text in its place.
  const instance = problem.instance.startsWith('/') ? problem.instance : '/';
  const fault = problemFault({ ...problem, instance }, answer.status, answer.headers);
  expect([answer.text, fault]).toEqual([answer.text, undefined]);
  return problem;
}

const INVALID = [400, 'VALIDATION_FAILED'] as const;
const REST = JSON.stringify(GOOD).slice(1);

describe('a body', () => {
  test.each([
    ...['{', '{"a":1,}', '{"a":1}{"b":2}', 'NaN', '{"a":"\u0001"}', '['.repeat(10_000)],
    ...['true', '7', '"text"', '[]', JSON.stringify([GOOD]), 'null', '{}', ''],
    ...['unknown', '', 'constructor', 'toString', 'WALLETADDRESS'].map((name) => `{"${name}":1,${REST}`),
    ...['"__proto__":{"a":1}', '"\\u005f_proto__":{}', '"constructor":{"prototype":{"a":1}}'].map(
      (member) => `{${member},${REST}`,
    ),
  ])('is refused: %s', async (body) => {
    await expectRefused(WITH_BODY, { body, headers: JSON_TYPE }, INVALID);
    expect(Reflect.get({}, 'a')).toBeUndefined();
  });

  test('is refused over 32 kB, told ahead or not', async () => {
    const body = JSON.stringify({ ...GOOD, unknown: 'x'.repeat(33 * 1024) });
    await expectRefused(WITH_BODY, { body, headers: JSON_TYPE }, [413, 'BODY_TOO_LARGE']);
    const head = requestText('POST', WITH_BODY, { ...JSON_TYPE, 'transfer-encoding': 'chunked' });
    const chunked = await exchange(service.url, `${head}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`);
    expect(expectProblem(chunked, [413]).code).toBe('BODY_TOO_LARGE');
  });

  test.each([
    'text/plain',
    'application/jsonx',
    'multipart/form-data; boundary=x',
    ';',
  ])('is refused in another content type: %s', async (type) => {
    const headers = { 'content-type': type };
    await expectRefused(WITH_BODY, { body: JSON.stringify(GOOD), headers }, [415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  test('that is packed is refused before it is unpacked, whatever it holds', async () => {
    const { status, body, headers } = await client.call<Problem>('POST', WITH_BODY, {
      body: new Uint8Array(gzipSync('{}')),
      headers: { ...JSON_TYPE, 'content-encoding': 'gzip' },
    });
    expect([status, body.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    expect(headers.get('accept-encoding')).toBe('identity');
  });

  test('of a call that takes none is refused, but for an empty one', async () => {
    for (const body of ['{"a":1}', '[1]', '"text"', '{', '{"__proto__":{}}'])
      await expectRefused(WITHOUT_BODY, { body, headers: JSON_TYPE }, INVALID);
    for (const options of [{}, { body: '', headers: JSON_TYPE }, { json: {} }])
      expect((await client.call('POST', WITHOUT_BODY, options)).status).toBe(200);
    recordedBefore = service.recorded.length;
  });
});

describe.each(routes)('$method $url', ({ method, url, path }) => {
  test('is there for its own method only', async () => {
    const own = routes.filter((route) => route.url === url).map((route) => route.method);
    for (const other of ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'].filter((each) => !own.includes(each))) {
      const { status, body, headers } = await client.call<Problem>(other, path);
      // Another route with a parameter may be meant: GET /tokens/submit asks for a token of that address.
      const isOfToken = body.details?.some(({ path: [name] }) => name === 'mintAddress');
      if (isOfToken && body.code === 'VALIDATION_FAILED') continue;
      expect([other, status, body.code]).toEqual([other, 405, 'METHOD_NOT_ALLOWED']);
      const allowed = headers.get('allow')?.split(', ') ?? [];
      expect(allowed).toEqual(expect.arrayContaining(own));
      expect(allowed).not.toContain(other);
    }
  });

  test('answers with the headers that keep browsers from doing harm, and HEAD as GET', async () => {
    // Malformed, so that nothing is recorded by those that take anything else.
    const malformed = method === 'GET' ? {} : { body: '{', headers: JSON_TYPE };
    const { headers, status } = await client.call(method, path, malformed);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect([headers.get('x-powered-by'), headers.get('server')]).toEqual([null, null]);
    if (method !== 'GET') return;
    const head = await exchange(service.url, requestText('HEAD', path));
    expect([head.status, head.text]).toEqual([status, '']);
  });
});

describe('what is hardly HTTP', () => {
  test.each([
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['a TLS greeting', Buffer.from('160301020001fc0303', 'hex')],
    ['a header without a name', 'GET /health HTTP/1.1\r\nhost: x\r\n: x\r\n\r\n'],
    ['a null byte in a header', 'GET /health HTTP/1.1\r\nhost: x\r\nx-a: a\0b\r\n\r\n'],
    ['an unknown method', 'FETCH /health HTTP/1.1\r\nhost: x\r\n\r\n'],
    [
      'two lengths',
      'POST /auth/challenge HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}x',
    ],
    ['a length that is none', 'POST /auth/challenge HTTP/1.1\r\nhost: x\r\ncontent-length: -2\r\n\r\n{}'],
    [
      'a length and chunks',
      'POST /auth/challenge HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'chunks that are none',
      requestText('POST', '/auth/challenge', { ...JSON_TYPE, 'transfer-encoding': 'chunked' }).concat(
        'zz\r\n{}\r\n',
      ),
    ],
  ])('is refused and the connection ended: %s', async (_what, request) => {
    expectProblem(await exchange(service.url, request), [400]);
  });
});
