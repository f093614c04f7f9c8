/** CORS: calls that browsers allow from pages of other origins. */
import { beforeAll, describe, expect, test } from 'vitest';
import { type Client, createClient } from '../support/client.ts';
import { openTestService } from '../support/service.ts';

const PAGE = 'https://app.example';
const STRANGERS = [
  'https://evil.example',
  'http://app.example',
  'https://app.example:8443',
  'https://sub.app.example',
  'null',
];

let client: Client;

beforeAll(async () => {
  const service = await openTestService({
    ALLOWED_ORIGINS: `${PAGE}, http://localhost:5173`,
    NONCE_ACCOUNTS_MIN: '0',
  });
  client = createClient(service.url);
});

const words = (headers: Headers, name: string) =>
  (headers.get(name) ?? '').split(',').map((word) => word.trim().toLowerCase());

function preflight(origin: string, path: string, method = 'POST') {
  return client.call('OPTIONS', path, {
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization, content-type, idempotency-key',
    },
  });
}

describe('a page of an allowed origin', () => {
  test('may ask beforehand, and send what the contract lets it send', async () => {
    for (const origin of [PAGE, 'http://localhost:5173']) {
      const { status, headers, bytes } = await preflight(origin, '/tokens/create-unsigned');
      expect([status, bytes.length]).toEqual([204, 0]);
      expect(headers.get('access-control-allow-origin')).toBe(origin);
      expect(words(headers, 'access-control-allow-methods')).toEqual(['get', 'head', 'post']);
      const sent = [
        'authorization',
        'content-type',
        'idempotency-key',
        'if-match',
        'x-after-position',
        'last-event-id',
      ];
      expect(words(headers, 'access-control-allow-headers')).toEqual(expect.arrayContaining(sent));
      expect(words(headers, 'access-control-allow-headers')).not.toContain('x-operator-key');
      expect(words(headers, 'vary')).toContain('origin');
    }
  });

  test('may call, and read what the contract lets it read, also of a refusal', async () => {
    for (const path of ['/tokens', '/tokens/me', '/nowhere']) {
      const { headers } = await client.call('GET', path, { headers: { origin: PAGE } });
      expect([path, headers.get('access-control-allow-origin')]).toEqual([path, PAGE]);
      const read = [
        'etag',
        'x-position',
        'x-request-id',
        'retry-after',
        'ratelimit',
        'ratelimit-policy',
        'x-ratelimit-limit',
        'x-ratelimit-remaining',
        'x-ratelimit-reset',
      ];
      expect(words(headers, 'access-control-expose-headers')).toEqual(expect.arrayContaining(read));
      expect(words(headers, 'vary')).toContain('origin');
      // Access tokens travel in a header: cookies must never be let in.
      expect(headers.get('access-control-allow-credentials')).toBeNull();
    }
  });
});

describe('a page of another origin', () => {
  test.each(STRANGERS)('may not call from %s', async (origin) => {
    const { headers: asked } = await preflight(origin, '/tokens/create-unsigned');
    expect(asked.get('access-control-allow-origin')).toBeNull();
    for (const path of ['/tokens/me', '/nowhere']) {
      const { headers } = await client.call('GET', path, { headers: { origin } });
      expect([path, headers.get('access-control-allow-origin')]).toEqual([path, null]);
      expect(words(headers, 'vary')).toContain('origin');
    }
    const { headers } = await client.call('GET', '/tokens', {
      headers: { origin, authorization: 'Bearer x' },
    });
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  test.each(
    STRANGERS,
  )('may read what needs no signing in from %s, and sign in to nothing', async (origin) => {
    for (const path of ['/tokens', '/featured', '/tokens/x', '/health']) {
      const { headers } = await client.call('GET', path, { headers: { origin } });
      expect([path, headers.get('access-control-allow-origin')]).toEqual([path, '*']);
      expect(words(headers, 'access-control-expose-headers')).toContain('ratelimit');
      expect(words(headers, 'vary')).toContain('origin');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      const { status, headers: asked } = await preflight(origin, path, 'GET');
      expect([status, asked.get('access-control-allow-origin')]).toEqual([204, '*']);
      expect(words(asked, 'access-control-allow-methods')).toEqual(['get']);
      const sent = words(asked, 'access-control-allow-headers');
      expect(sent).toEqual(expect.arrayContaining(['x-after-position', 'last-event-id', 'if-none-match']));
      for (const name of ['authorization', 'x-operator-key', 'x-partner-key'])
        expect(sent).not.toContain(name);
    }
    for (const [path, method] of [
      ['/tokens/me', 'GET'],
      ['/tokens/submit', 'POST'],
      ['/tokens', 'POST'],
    ] as const) {
      const { headers } = await preflight(origin, path, method);
      expect([path, headers.get('access-control-allow-origin')]).toEqual([path, null]);
    }
  });
});

test('what is not there, or not answered by this method, is not found beforehand either', async () => {
  for (const [path, method] of [
    ['/nowhere', 'GET'],
    ['/tokens', 'DELETE'],
    ['/operator/projections', 'GET'],
  ] as const) {
    const { status, headers } = await preflight(PAGE, path, method);
    expect([path, status, headers.get('access-control-allow-origin')]).toEqual([path, 404, null]);
  }
  const { status, headers } = await client.call('OPTIONS', '/distribution/x/settings');
  expect([status, words(headers, 'access-control-allow-methods')]).toEqual([
    204,
    expect.arrayContaining(['get', 'patch']),
  ]);
});
