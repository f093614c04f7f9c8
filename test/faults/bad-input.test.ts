/** Wrong input on every route of the registries: a documented refusal, and nothing recorded. A new route is covered by itself. */
import { gzipSync } from 'node:zlib';
import { type TObject, TypeGuard } from '@sinclair/typebox';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { commands } from '../../src/commands/index.ts';
import type { Route } from '../../src/kernel/runtime/define-route.ts';
import { queries } from '../../src/queries/index.ts';
import type { CallOptions, Problem } from '../support/client.ts';
import { problemFault } from '../support/client.ts';
import { type Creator, openCreator, signIn } from '../support/creator.ts';
import { OPERATOR_KEY } from '../support/operator.ts';
import { exchange, type RawAnswer, requestText } from '../support/raw-http.ts';
import { openTestService, type TestService } from '../support/service.ts';

const SOME_ID = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const JSON_TYPE = { 'content-type': 'application/json' };

interface Tested {
  readonly name: string;
  readonly route: Route;
  readonly path: string;
  readonly bodySchema: TObject | undefined;
}

const routes: readonly Tested[] = [...commands, ...queries].map(({ route, input }) => ({
  name: `${route.method} ${route.url}`,
  route,
  path: route.url.replace(/:\w+/g, (name) => (name === ':partner' ? 'acme' : SOME_ID)),
  bodySchema: input.body,
}));
const withBody = routes.filter(
  ({ bodySchema, route }) => bodySchema !== undefined && route.upload === undefined,
);
const withoutBody = routes.filter(
  ({ bodySchema, route }) => bodySchema === undefined && route.method !== 'GET',
);
const withParameters = routes.filter(({ route }) => route.url.includes(':'));

let service: TestService;
let creator: Creator;
/** A body that is good as far as it can be told without the chain, for every route that takes one. */
let examples: { readonly [route: string]: { readonly [field: string]: unknown } };
let recordedBefore = 0;

beforeAll(async () => {
  service = await openTestService();
  creator = await openCreator(service);
  const links = { twitter: 'https://x.example', telegram: 'https://t.example', website: 'https://w.example' };
  examples = {
    'POST /auth/challenge': { walletAddress: creator.address },
    'POST /faucet': { walletAddress: creator.address },
    'POST /faucet/transfers/create-unsigned': {
      mintAddress: creator.address,
      sender: creator.address,
      recipient: creator.address,
      amount: '1',
    },
    'POST /faucet/transfers/submit': { signedTransaction: 'AAAA' },
    'POST /auth/verify': { walletAddress: creator.address, signature: '1'.repeat(64), message: 'message' },
    'POST /tokens/create-unsigned': await creator.tokenInput({
      ...links,
      burnPercent: 10,
      developerFeePercent: 5,
      developerWallet: creator.address,
      distributionInterval: '1h',
      percentageToSellPerDistribution: 100,
      rewardToken: 'SOL',
      minimumHoldingRequirement: '0',
      transferFeeAdjustable: false,
      immutableMetadata: true,
    }),
    'POST /operator/distributions/:tokenId/correct': { tokenAmount: '0', lamports: '0', reason: 'reason' },
    'POST /operator/distributions/:tokenId/halt': { reason: 'reason' },
    'POST /operator/distributions/:tokenId/resume': { reason: 'reason' },
    'POST /operator/distributions/:tokenId/run': { reason: 'reason' },
    'POST /operator/distributions/halt': { reason: 'reason' },
    'POST /operator/distributions/resume': { reason: 'reason' },
    'POST /operator/events/:eventId/quarantine': { reason: 'reason', stream: 'token-1', revision: 3 },
    'POST /operator/submissions/:transactionId/conclude': {
      outcome: 'landed',
      signature: '1'.repeat(64),
      slot: '417',
      reason: 'reason',
    },
    'POST /operator/tokens/:mintAddress/hide': { reason: 'reason' },
    'POST /operator/tokens/:mintAddress/show': { reason: 'reason' },
    'POST /operator/partners': {
      partner: 'acme',
      quotas: [{ policy: 'general', calls: 1_000, windowSeconds: 60 }],
    },
    'POST /operator/partners/:partner/rotate': { overlapSeconds: 60 },
    'POST /operator/partners/:partner/end': { reason: 'reason' },
    'POST /operator/promotions/:promotionId/end': { reason: 'reason' },
    'POST /tokens/submit': { transactionId: SOME_ID, signedTransaction: 'AAAA' },
    'POST /featured/create-unsigned': { tokenMint: creator.address, days: 1 },
    'POST /featured/submit': { transactionId: SOME_ID, signedTransaction: 'AAAA' },
    'POST /launchpad/create-unsigned': {
      tokenMint: creator.address,
      tokenAmount: '1000000',
      targetMarketCap: '1000000000',
    },
    'POST /launchpad/submit': { transactionId: SOME_ID, signedTransaction: 'AAAA' },
    'POST /tokens/:mintAddress/transfer-fee/create-unsigned': { transferFeePercent: 1 },
    'POST /tokens/:mintAddress/transfer-fee/submit': { transactionId: SOME_ID, signedTransaction: 'AAAA' },
    'PUT /distribution/:tokenId/owners': { keptOut: [creator.address], listedIn: [] },
    'PATCH /distribution/:tokenId/settings': {
      rewardToken: 'SOL',
      distributionModel: 'square-root',
      minimumHoldingRequirement: '1',
      percentageToSellPerDistribution: 50,
      distributionEnabled: false,
      distributionInterval: '6h',
      burnPercent: 10,
      developerFeePercent: 5,
      developerWallet: creator.address,
      telegramGroupId: '-1001234567890',
    },
  };
});

beforeEach(() => {
  recordedBefore = service.recorded.length;
});

afterEach(() => {
  expect(service.recorded.slice(recordedBefore)).toEqual([]);
  expect(service.logged.filter(({ level }) => level >= 50)).toEqual([]);
});

function tokenFor({ route }: Tested): string | undefined {
  return route.auth === 'wallet' ? creator.token : undefined;
}

function operatorKeyFor({ route }: Tested): string | undefined {
  return route.auth === 'operator' ? OPERATOR_KEY : undefined;
}

function authorizationFor(tested: Tested): Record<string, string> {
  const token = tokenFor(tested);
  const operatorKey = operatorKeyFor(tested);
  if (operatorKey !== undefined) return { 'x-operator-key': operatorKey };
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

function call(tested: Tested, options: CallOptions) {
  return creator.client.call<Problem>(tested.route.method, tested.path, {
    token: tokenFor(tested),
    operatorKey: operatorKeyFor(tested),
    ...options,
  });
}

async function expectInvalid(tested: Tested, options: CallOptions): Promise<Problem> {
  const { status, body } = await call(tested, options);
  const sent = String(options.body ?? JSON.stringify(options.json)).slice(0, 200);
  expect([sent, status, body?.code]).toEqual([sent, 400, 'VALIDATION_FAILED']);
  return body;
}

/** As a client would check it that reads bytes. */
function expectProblem(answer: RawAnswer, statuses: readonly number[]): Problem {
  expect(statuses).toContain(answer.status);
  const problem: Problem = JSON.parse(answer.text);
  // What is hardly HTTP has no path, or something else where the path should be.
  const instance = problem.instance.startsWith('/') ? problem.instance : '/';
  const fault = problemFault({ ...problem, instance }, answer.status, answer.headers);
  expect([answer.text, fault]).toEqual([answer.text, undefined]);
  return problem;
}

test('there is an example for every route that takes a body', () => {
  expect(Object.keys(examples).sort()).toEqual(withBody.map(({ name }) => name).sort());
});

describe.each(withBody)('the body of $name', (tested) => {
  const schema = tested.bodySchema as TObject;
  const fields = Object.keys(schema.properties);
  const example = () => examples[tested.name] ?? {};

  test.each([
    '{',
    '}',
    '[1,',
    '{"a":}',
    "{'a':1}",
    '{"a":1,}',
    '{"a":1}x',
    '{"a":1}{"b":2}',
    'undefined',
    'NaN',
    '{"a":NaN}',
    '{"a":01}',
    '"\\u12"',
    '{"a":"\u0001"}',
    '\u0000',
    '['.repeat(10_000),
    '{"a":'.repeat(5_000),
  ])('is refused as malformed JSON: %j', async (body) => {
    await expectInvalid(tested, { body, headers: JSON_TYPE });
  });

  test('is refused when it is no object, or none at all', async () => {
    for (const json of [null, true, 7, 'text', [], [example()]]) await expectInvalid(tested, { json });
    const mayBeEmpty = (schema.required ?? []).length === 0 && schema.minProperties === undefined;
    if (mayBeEmpty) return;
    await expectInvalid(tested, { json: {} });
    await expectInvalid(tested, { body: '', headers: JSON_TYPE });
    await expectInvalid(tested, {});
  });

  test('is refused without any of the fields that it must have', async () => {
    for (const field of schema.required ?? []) {
      const { [field]: _, ...rest } = example();
      const { details } = await expectInvalid(tested, { json: rest });
      expect(details?.map(({ path }) => path)).toContainEqual([field]);
    }
  });

  test('is refused with a field that it does not know, whatever its name', async () => {
    const names = [
      'unknown',
      '',
      'constructor',
      'toString',
      'hasOwnProperty',
      fields[0]?.toUpperCase() ?? 'X',
      '$where',
    ];
    for (const name of names) {
      const { details } = await expectInvalid(tested, { json: { ...example(), [name]: 1 } });
      expect(details?.map(({ path }) => path)).toEqual([[name]]);
    }
  });

  test.each(fields)('is refused when it names %s twice, also with one value', async (field) => {
    const whole = JSON.stringify({ [field]: '1', ...example() });
    const again = JSON.stringify({ [field]: example()[field] ?? '1' }).slice(1);
    const { details } = await expectInvalid(tested, {
      body: `${whole.slice(0, -1)},${again}`,
      headers: JSON_TYPE,
    });
    expect(details).toEqual([{ path: [field], message: 'must not appear twice' }]);
  });

  test('is refused when it reaches for the prototype', async () => {
    const rest = JSON.stringify(example()).slice(1);
    const keys = [
      '"__proto__":{"a":1}',
      '"__proto__":null',
      '"\\u005f_proto__":{}',
      '"constructor":{"prototype":{"a":1}}',
    ];
    for (const key of keys) await expectInvalid(tested, { body: `{${key},${rest}`, headers: JSON_TYPE });
    expect(Reflect.get({}, 'a')).toBeUndefined();
  });

  test.each(fields)('is refused with another type in %s', async (field) => {
    const property = schema.properties[field];
    const values = ['text', 1, -1, 1.5, 1e300, true, false, null, [], ['text'], {}, { text: 1 }];
    const isOfType = (value: unknown) => {
      if (TypeGuard.IsInteger(property)) return Number.isInteger(value);
      if (TypeGuard.IsArray(property)) return Array.isArray(value);
      if (TypeGuard.IsNumber(property)) return typeof value === 'number';
      if (TypeGuard.IsUnion(property) && property.anyOf.some(TypeGuard.IsNull) && value === null) return true;
      return typeof value === (TypeGuard.IsBoolean(property) ? 'boolean' : 'string');
    };
    for (const value of values.filter((candidate) => !isOfType(candidate))) {
      const { details } = await expectInvalid(tested, { json: { ...example(), [field]: value } });
      expect(details?.map(({ path }) => path)).toEqual([[field]]);
    }
  });

  test.each(fields)('is refused, or taken by its rules, with an extreme value in %s', async (field) => {
    const { [field]: _, ...rest } = example();
    const start = `${JSON.stringify(rest).slice(0, -1)}${fields.length > 1 ? ',' : ''}${JSON.stringify(field)}:`;
    // Those that could be good for a field are not among them: nothing here may be recorded.
    const values = [
      '""',
      '" "',
      '"\\u0000"',
      '"a\\u0000b"',
      '"\\ud800"',
      '"\\udfff\\ud800"',
      '"\\uffff\\ufffe"',
      '"\\u202e"',
      JSON.stringify('x'.repeat(30_000)),
      JSON.stringify('🚀'.repeat(5_000)),
      '"../../etc/passwd"',
      '"\'; DROP TABLE events; --"',
      '1e400',
      '-1e400',
      '1e-400',
      '9007199254740993',
      '99999999999999999999999999999999',
      '-0',
      '"__proto__"',
    ];
    // Free text may be any text, and -0, 1e-400 are zero: what is good as it is is not sent.
    const harmless: { readonly [name: string]: readonly RegExp[] } = {
      description: [/^"(?!.*\\u(0000|d8|dfff|ffff|202e)).{0,1000}"$/],
      name: [/^"[^\\ ].{0,30}"$/],
      symbol: [/^"[^\\ ].{0,8}"$/],
      decimals: [/^(-0|1e-400)$/],
      twitter: [/^" ?"$/],
      telegram: [/^" ?"$/],
      website: [/^" ?"$/],
      // Elsewhere a good reason meets something that is not there.
      ...(/^\/operator\/distributions\/(halt|resume)$/.test(tested.path) && {
        reason: [/^"(?! ?"$)(?!.*\\u(0000|d8|dfff|ffff|202e)).{1,500}"$/],
      }),
    };
    const zeroIsFine = field.endsWith('Percent') || field.startsWith('percentage');
    for (const value of values) {
      if (harmless[field]?.some((pattern) => pattern.test(value))) continue;
      if (zeroIsFine && /^(-0|1e-400)$/.test(value)) continue;
      const body = `${start}${value}}`;
      const { status, body: problem } = await call(tested, { body, headers: JSON_TYPE });
      expect([value.slice(0, 60), [400, 401, 404, 413].includes(status), problem.code]).toEqual([
        value.slice(0, 60),
        true,
        expect.any(String),
      ]);
    }
  });

  test('is refused over 32 kB, told ahead or not', async () => {
    const body = JSON.stringify({ ...example(), unknown: 'x'.repeat(33 * 1024) });
    const answer = await call(tested, { body, headers: JSON_TYPE });
    expect([answer.status, answer.body.code]).toEqual([413, 'BODY_TOO_LARGE']);
    const chunked = await exchange(
      service.url,
      `${requestText(tested.route.method, tested.path, {
        ...JSON_TYPE,
        ...authorizationFor(tested),
        'transfer-encoding': 'chunked',
      })}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    );
    expect(expectProblem(chunked, [413]).code).toBe('BODY_TOO_LARGE');
  });

  test('is refused in another content type', async () => {
    const body = JSON.stringify(example());
    const types = [
      'text/plain',
      'application/xml',
      'application/x-www-form-urlencoded',
      'application/jsonx',
      'application/octet-stream',
      'multipart/form-data; boundary=x',
      'nonsense',
      ';',
      'application/json/x',
    ];
    for (const type of types) {
      const { status, body: problem } = await call(tested, { body, headers: { 'content-type': type } });
      expect([type, status, problem.code]).toEqual([type, 415, 'UNSUPPORTED_MEDIA_TYPE']);
    }
  });
});

test('a packed body is refused before it is unpacked, whatever it holds', async () => {
  const { status, body, headers } = await creator.client.call<Problem>('POST', '/auth/challenge', {
    body: new Uint8Array(gzipSync('{}')),
    headers: { ...JSON_TYPE, 'content-encoding': 'gzip' },
  });
  expect([status, body.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  expect(headers.get('accept-encoding')).toBe('identity');
});

describe.each(withoutBody)('$name, which takes no body,', (tested) => {
  test('refuses one', async () => {
    for (const body of ['{"a":1}', '[1]', '"text"', '7', 'true', '{', '{"__proto__":{}}']) {
      await expectInvalid(tested, { body, headers: JSON_TYPE });
    }
    const { status } = await call(tested, { body: 'text', headers: { 'content-type': 'text/plain' } });
    expect(status).toBe(415);
  });
});

test('a call that takes no body takes an empty one', async () => {
  for (const options of [{}, { body: '', headers: JSON_TYPE }, { json: {} }]) {
    const { status } = await creator.client.call('POST', '/tokens/generate-distribution-wallet', options);
    expect(status).toBe(200);
    const { token } = await signIn(creator.client, creator.keypair);
    expect((await creator.client.call('POST', '/auth/logout', { token, ...options })).status).toBe(200);
  }
  recordedBefore = service.recorded.length;
});

describe.each(withParameters)('the path of $name', (tested) => {
  const before = tested.route.url.replace(/:\w+.*$/, '');
  const after = tested.route.url.replace(/^[^:]*:\w+/, '');
  const bad = [
    '%',
    '%zz',
    '%e0%a4%a',
    '%ff',
    '%c0%ae',
    '%00',
    'a%00b',
    '%ed%a0%80',
    '%0d%0aX-Injected:%201',
    '..%2f..%2fmaster-seed',
    '%2e%2e%2fmaster-seed',
    '....//',
    '%252e',
    '__proto__',
    'constructor',
    '%F0%9F%9A%80',
    ' ',
    'x'.repeat(255),
    'x'.repeat(257),
    'x'.repeat(8_000),
    "'%20OR%201=1",
    `${SOME_ID}%20`,
    SOME_ID.toUpperCase(),
    SOME_ID.slice(1),
  ];

  test.each(bad)('is refused with %j in it', async (value) => {
    const request = requestText(tested.route.method, `${before}${value}${after}`, authorizationFor(tested));
    const answer = await exchange(service.url, request);
    expectProblem(answer, [400, 404]);
    expect(answer.headers.get('x-injected')).toBeNull();
  });
});

describe.each(routes)('$name', (tested) => {
  test('is there for its own method only', async () => {
    const { url } = tested.route;
    const own = routes.filter(({ route }) => route.url === url).map(({ route }) => route.method as string);
    for (const method of ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'].filter((other) => !own.includes(other))) {
      // Another route with a parameter may be meant: GET /tokens/submit asks for a token of that address.
      const { status, body, headers } = await creator.client.call<Problem>(method, tested.path);
      if (body.code === 'TOKEN_NOT_FOUND') continue;
      expect([method, status, body.code]).toEqual([method, 405, 'METHOD_NOT_ALLOWED']);
      const allowed = headers.get('allow')?.split(', ') ?? [];
      expect(allowed).toEqual(expect.arrayContaining(own));
      expect(allowed).not.toContain(method);
    }
  });

  test('answers with the headers that keep browsers from doing harm', async () => {
    // Malformed, so that nothing is recorded by those that take anything else.
    const body = tested.route.method === 'GET' ? {} : { body: '{', headers: JSON_TYPE };
    const { headers } = await call(tested, body);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('server')).toBeNull();
  });

  test('answers HEAD as it answers GET, without the body', async () => {
    if (tested.route.method !== 'GET') return;
    const { status } = await call(tested, {});
    const headers = authorizationFor(tested);
    const head = await exchange(service.url, requestText('HEAD', tested.path, headers));
    expect([head.status, head.text]).toEqual([status, '']);
  });

  test('is not disturbed by a body where there should be none', async () => {
    if (tested.route.method !== 'GET') return;
    const headers = { ...JSON_TYPE, ...authorizationFor(tested) };
    const answer = await exchange(service.url, requestText('GET', tested.path, headers, '{"a":'));
    expect(answer.status).toBeLessThan(500);
    expect(answer.status).toBeGreaterThan(0);
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

  test.each([
    ['headers of 20 kB', 431, requestText('GET', '/health', { 'x-large': 'x'.repeat(20_000) })],
    ['a path of 20 kB', 414, requestText('GET', `/tokens/${'x'.repeat(20_000)}`)],
  ])('is refused by its size and the connection ended: %s', async (_what, status, request) => {
    expectProblem(await exchange(service.url, request), [status]);
  });

  test('is refused: two hosts, of which a proxy may go by the other', async () => {
    const two = requestText('GET', '/health', { Host: 'other' });
    expect(two.match(/^host: /gim)).toHaveLength(2);
    expect(expectProblem(await exchange(service.url, two), [400]).detail).toMatch(/only one Host/);
  });

  test('is refused or taken, but never a fault: odd targets and headers', async () => {
    const isRoot = (target: string) => target === '*' || target === '/?';
    const targets = [
      '*',
      '//',
      '//evil.example/tokens',
      'http://evil.example/tokens',
      '/tokens?%',
      '/tokens?page=%zz',
      '/tokens?page=%00',
      '/tokens#x',
      '/?',
      '/tokens/',
      '/TOKENS',
      '/tokens;x=1',
    ];
    for (const target of targets) {
      const answer = await exchange(service.url, requestText('GET', target));
      if (answer.status === 200) continue;
      if (isRoot(target)) expect([target, answer.status]).toEqual([target, 302]);
      else expectProblem(answer, [400, 404]);
    }
    const headers = {
      'idempotency-key': '\x01',
      origin: '\xff',
      'x-forwarded-for': 'x, y',
    };
    for (const [name, value] of Object.entries(headers)) {
      const answer = await exchange(service.url, requestText('GET', '/health', { [name]: value }));
      expect([200, 400]).toContain(answer.status);
    }
  });
});
