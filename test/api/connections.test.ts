/** Slow or excessive callers get an error or are disconnected, and the service continues for the others. */
import { beforeAll, expect, test } from 'vitest';
import { problemFault } from '../support/client.ts';
import { type Creator, openCreator } from '../support/creator.ts';
import { exchange, requestText } from '../support/raw-http.ts';
import { openTestService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

let service: TestService;
let creator: Creator;

beforeAll(async () => {
  service = await openTestService(
    { NONCE_ACCOUNTS_MIN: '0' },
    {
      constants: {
        requestTimeoutMs: 900,
        answerTimeoutMs: 500,
        keepAliveTimeoutMs: 500,
      },
    },
  );
  creator = await openCreator(service, { sol: 0 });
});

async function expectWell(): Promise<void> {
  // A connection that the client kept may be closed just as it is used again: then it takes a new one.
  await until(() => creator.client.call('GET', '/health').catch(() => undefined));
  expect(await creator.client.call('GET', '/health')).toMatchObject({ status: 200 });
  expect(await creator.upload()).toMatchObject({ success: true });
  expect(service.logged.filter(({ level }) => level >= 50)).toEqual([]);
}

test.each([
  ['the head of a request', 'GET /tokens HTTP/1.1\r\nhost: x\r\nx-unfinished: '],
  [
    'the body of a request',
    requestText('POST', '/auth/challenge', { 'content-type': 'application/json', 'content-length': '100' }) +
      '{',
  ],
])('%s that does not come to its end is answered with a problem, and the connection is over', async (_what, request) => {
  const { status, headers, text } = await exchange(service.url, request);
  const problem = JSON.parse(text);
  expect(problem).toMatchObject({ code: 'REQUEST_TIMED_OUT', detail: 'The request did not arrive in time.' });
  // An incomplete request has no path yet.
  expect(problemFault({ ...problem, instance: '/' }, status, headers)).toBeUndefined();
  expect([status, headers.get('connection')]).toEqual([408, 'close']);
});

const LONG = 'a'.repeat(9_000);
const LONGER = 'b'.repeat(30_000);

test.each([
  ['an address', 414, 'URI_TOO_LONG', requestText('GET', `/tokens?search=${LONG}`)],
  [
    'headers',
    431,
    'HEADERS_TOO_LARGE',
    requestText('GET', '/health', Object.fromEntries(['x-a', 'x-b'].map((name) => [name, LONG]))),
  ],
  [
    'a header longer than all that is read',
    431,
    'HEADERS_TOO_LARGE',
    requestText('GET', '/health', { cookie: LONGER }),
  ],
])('%s too long is refused as %i %s', async (_what, status, code, request) => {
  const answer = await exchange(service.url, request);
  expect([answer.status, JSON.parse(answer.text).code]).toEqual([status, code]);
  expect(
    problemFault({ ...JSON.parse(answer.text), instance: '/' }, answer.status, answer.headers),
  ).toBeUndefined();
});

test('an address and headers that are just short enough are answered', async () => {
  const headers = { cookie: 'c'.repeat(16_000) };
  expect(
    (await exchange(service.url, requestText('GET', `/health?_=${LONG.slice(0, 8_000)}`, headers))).status,
  ).toBe(200);
});

test('an upload that does not come to its end records nothing', async () => {
  const recorded = service.recorded.length;
  const head = requestText('POST', '/tokens/upload-image', {
    authorization: `Bearer ${creator.token}`,
    'content-type': 'multipart/form-data; boundary=levy',
    'content-length': '100000',
  });
  const part = '--levy\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\n';
  await exchange(service.url, `${head}${part}`);
  expect(service.recorded).toHaveLength(recorded);
  await expectWell();
});
