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
const SOME_MINT = 'So11111111111111111111111111111111111111112';
const PARAMETERS: { readonly [name: string]: string } = { ':partner': 'acme', ':mintAddress': SOME_MINT };
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
  path: route.url.replace(/:\w+/g, (name) => PARAMETERS[name] ?? SOME_ID),
  bodySchema: input.body,
}));
const withBody = routes.filter(
  ({ bodySchema, route }) => bodySchema !== undefined && route.upload === undefined,
);
const withoutBody = routes.filter(
  ({ bodySchema, route }) => bodySchema === undefined && route.method !== 'GET',
);

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

  test('is refused as malformed JSON', async () => {
    for (const body of ['{', '{"a":1,}', '{"a":1}{"b":2}', 'NaN', '{"a":"\u0001"}', '['.repeat(10_000)])
      await expectInvalid(tested, { body, headers: JSON_TYPE });
  });

  test('is refused when it is no object, or none at all', async () => {
    for (const json of [true, 7, 'text', [], [example()]]) await expectInvalid(tested, { json });
    const mayBeEmpty = (schema.required ?? []).length === 0 && schema.minProperties === undefined;
    if (mayBeEmpty) return;
    await expectInvalid(tested, { json: null });
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
    const types = ['text/plain', 'application/jsonx', 'multipart/form-data; boundary=x', ';'];
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

describe.each(routes)('$name', (tested) => {
  test('is there for its own method only', async () => {
    const { url } = tested.route;
    const own = routes.filter(({ route }) => route.url === url).map(({ route }) => route.method as string);
    for (const method of ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'].filter((other) => !own.includes(other))) {
      const { status, body, headers } = await creator.client.call<Problem>(method, tested.path);
      // Another route with a parameter may be meant: GET /tokens/submit asks for a token of that address.
      const isOfToken = body.details?.some(({ path: [name] }) => name === 'mintAddress');
      if (isOfToken && body.code === 'VALIDATION_FAILED') continue;
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
});
