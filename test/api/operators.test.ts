/** Operators over HTTP: who is one, what nobody else learns or may do, and what hiding a token hides. */
import { beforeAll, describe, expect, test } from 'vitest';
import { commands } from '../../src/commands/index.ts';
import { queries } from '../../src/queries/index.ts';
import { type Answer, type CallOptions, createClient, type Problem } from '../support/client.ts';
import { type Creator, openCreator, type SubmittedToken } from '../support/creator.ts';
import { newOperatorKey, OPERATOR_KEY, OPERATOR_NAME, operatorEntry } from '../support/operator.ts';
import { openTestService, type TestService } from '../support/service.ts';

const PAGE = 'https://app.example';
const SOME_MINT = '8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR';

const routes = [...commands, ...queries]
  .filter(({ route }) => route.auth === 'operator')
  .map(({ route: { method, url } }) => ({ method, url, path: url.replace(/:\w+/g, SOME_MINT) }));

let service: TestService;
let creator: Creator;

beforeAll(async () => {
  service = await openTestService({ ALLOWED_ORIGINS: PAGE, LOG_LEVEL: 'trace' });
  creator = await openCreator(service);
});

function asOperator<Body>(method: string, path: string, options: CallOptions = {}): Promise<Answer<Body>> {
  return creator.client.call<Body>(method, path, { operatorKey: OPERATOR_KEY, ...options });
}

/** Refusals without the request's own data: those of one route must be identical, so that they reveal nothing else. */
function told({ status, headers, body }: Answer<Problem>) {
  const names = [...headers.keys()].filter((name) => !['date', 'x-request-id'].includes(name));
  return {
    status,
    body: { ...body, requestId: '' },
    headers: names.map((name) => [name, headers.get(name)]),
  };
}

test('every route below /operator is for operators alone', () => {
  const all = [...commands, ...queries].map(({ route }) => route);
  const below = all.filter(({ url }) => url.startsWith('/operator/'));
  expect(below.length).toBeGreaterThan(0);
  for (const { auth, limit } of below) expect([auth, limit]).toEqual(['operator', 'operator']);
});

test.each([
  ['GET', '/%6fperator/log'],
  ['GET', '/operator/%6c%6Fg'],
  ['GET', '/operato%72/tokens'],
  ['POST', '/%6Fperator/partners'],
  ['GET', '/%74okens'],
  ['GET', '/auth%2Flogout'],
])('%s %s is no path: what a proxy closes by its letters is not open with others', async (method, path) => {
  const answer = await asOperator<Problem>(method, path);
  expect([answer.status, answer.body.code]).toEqual([404, 'ROUTE_NOT_FOUND']);
});

describe('a route of operators', () => {
  const [method, path] = ['POST', `/operator/tokens/${SOME_MINT}/hide`] as const;

  test('refuses whoever is no operator, all alike, and records nothing', async () => {
    const before = service.recorded.length;
    const attempts: CallOptions[] = [
      {},
      { operatorKey: '' },
      { operatorKey: 'wrong' },
      { operatorKey: newOperatorKey() },
      { operatorKey: OPERATOR_KEY.toUpperCase() },
      { operatorKey: `${OPERATOR_KEY}x` },
      { operatorKey: `${OPERATOR_KEY}, ${OPERATOR_KEY}` },
      { operatorKey: operatorEntry(OPERATOR_NAME, OPERATOR_KEY) },
      { operatorKey: operatorEntry('', OPERATOR_KEY).slice(1) },
      { token: creator.token },
      { token: OPERATOR_KEY },
      { headers: { authorization: `X-Operator-Key ${OPERATOR_KEY}` } },
      { headers: { cookie: `x-operator-key=${OPERATOR_KEY}` } },
    ];
    const answers = await Promise.all(
      attempts.map((options) => creator.client.call<Problem>(method, path, options)),
    );
    const inQuery = await creator.client.call<Problem>(method, `${path}?x-operator-key=${OPERATOR_KEY}`);
    for (const answer of [...answers, inQuery]) {
      expect([answer.status, answer.body.code]).toEqual([401, 'UNAUTHENTICATED']);
      expect(answer.headers.get('www-authenticate')).toBe('ApiKey header="X-Operator-Key"');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(told(answer)).toEqual(told(answers[0] ?? answer));
    }
    expect(service.recorded.slice(before)).toEqual([]);
  });

  test('lets an operator in, and the log names who it was: reads are in no event', async () => {
    const { status } = await asOperator('GET', '/operator/tokens', { headers: { 'x-request-id': 'let-in' } });
    expect(status).toBe(200);
    const line = service.logged.findLast(({ requestId }) => requestId === 'let-in');
    expect(line).toMatchObject({ actor: `operator:${OPERATOR_NAME}` });
  });
});

describe('without any operator', () => {
  test('their routes are not there, and look like any other path that is not', async () => {
    const { url } = await openTestService({
      OPERATOR_KEYS: '',
      ALLOWED_ORIGINS: PAGE,
      NONCE_ACCOUNTS_MIN: '0',
    });
    const client = createClient(url);
    const pathless = (answer: Answer<Problem>) => {
      const { body, ...rest } = told(answer);
      return { ...rest, body: { ...body, instance: '', detail: '', error: '' } };
    };
    for (const { method, path } of routes) {
      for (const options of [{}, { operatorKey: OPERATOR_KEY }, { headers: { origin: PAGE } }]) {
        const answer = await client.call<Problem>(method, path, options);
        expect([answer.status, answer.body.code]).toEqual([404, 'ROUTE_NOT_FOUND']);
        const other = await client.call<Problem>(method, '/nowhere/at/all', options);
        const length = (one: ReturnType<typeof pathless>) => ({
          ...one,
          headers: one.headers.filter(([name]) => name !== 'content-length'),
        });
        expect(length(pathless(answer))).toEqual(length(pathless(other)));
      }
    }
  });
});

describe('a hidden token', () => {
  const reason = 'passes itself off as another token';
  let tokens: readonly SubmittedToken[];

  beforeAll(async () => {
    const made: SubmittedToken[] = [];
    for (const name of ['Hideaway One', 'Hideaway Two', 'Hideaway Three']) {
      made.push(await creator.createToken({ name, symbol: 'HIDE' }));
    }
    tokens = made;
  });

  const mintOf = (index: number) => tokens[index]?.mintAddress ?? '';
  const act = (index: number, verb: 'hide' | 'show', options: CallOptions = {}) =>
    asOperator<{ tokenId: string; mintAddress: string; hidden: boolean }>(
      'POST',
      `/operator/tokens/${mintOf(index)}/${verb}`,
      options,
    );

  async function listed(query: string): Promise<readonly string[]> {
    const page = await creator.client.ask<{ tokens: { mintAddress: string }[] }>('GET', `/tokens${query}`);
    return page.tokens.map(({ mintAddress }) => mintAddress);
  }

  async function expectListed(...indexes: readonly number[]): Promise<void> {
    const mints = indexes.map(mintOf);
    for (const query of [`?creator=${creator.address}`, '?search=hideaway', '?search=HIDE', '']) {
      expect([query, await listed(query)]).toEqual([query, mints]);
    }
  }

  test('leaves every public list at once, and stands in its old place when it is shown again', async () => {
    await expectListed(2, 1, 0);
    const before = service.recorded.length;
    const { status, body, headers } = await act(1, 'hide', { json: { reason } });
    const tokenId = tokens[1]?.token.id;
    expect([status, body]).toEqual([200, { tokenId, mintAddress: mintOf(1), hidden: true }]);
    expect(headers.get('x-position')).not.toBeNull();
    await expectListed(2, 0);
    expect(service.recorded.slice(before)).toMatchObject([
      {
        type: 'TokenHidden',
        data: { tokenId, reason },
        metadata: { actor: `operator:${OPERATOR_NAME}` },
      },
    ]);

    const shown = await act(1, 'show');
    expect([shown.status, shown.body]).toEqual([200, { tokenId, mintAddress: mintOf(1), hidden: false }]);
    await expectListed(2, 1, 0);
    expect(service.recorded.slice(before + 1)).toMatchObject([
      {
        type: 'TokenShown',
        data: { tokenId, reason: null },
        metadata: { actor: `operator:${OPERATOR_NAME}` },
      },
    ]);
  });

  test('keeps what the chain points at: the metadata and the image', async () => {
    await act(0, 'hide', { json: { reason } });
    const metadata = await creator.client.ask<{ image: string }>('GET', `/metadata/${mintOf(0)}.json`);
    const { pathname } = new URL(metadata.image);
    expect((await creator.client.call('GET', pathname)).status).toBe(200);
    await act(0, 'show');
  });
});
