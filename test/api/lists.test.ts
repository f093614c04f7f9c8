import { beforeAll, describe, expect, test } from 'vitest';
import { type Client, createClient } from '../support/client.ts';
import { type Creator, openCreator, type SubmittedToken } from '../support/creator.ts';
import { openTestService } from '../support/service.ts';

let client: Client;
let creator: Creator;
let first: SubmittedToken['token'];

beforeAll(async () => {
  const service = await openTestService();
  client = createClient(service.url);
  creator = await openCreator(service);
  ({ token: first } = await creator.createToken());
});

describe('what everybody may read', () => {
  const asked = (path: string, headers: { readonly [name: string]: string } = {}) =>
    client.call('GET', path, { headers });

  test('has a tag by which nothing is sent again until it changes', async () => {
    for (const path of ['/tokens', '/featured', `/tokens/${first.mintAddress}`, '/.well-known/jwks.json']) {
      const { headers } = await asked(path);
      const etag = headers.get('etag') ?? '';
      expect([path, headers.get('cache-control')]).toEqual([path, 'public, no-cache']);
      const again = await asked(path, { 'if-none-match': etag });
      expect([path, again.status, again.bytes.length]).toEqual([path, 304, 0]);
      expect((await asked(path, { 'if-none-match': '"another"' })).status).toBe(200);
    }
    const before = (await asked('/tokens')).headers.get('etag');
    await creator.createToken({ name: 'New' });
    expect((await asked('/tokens')).headers.get('etag')).not.toBe(before);
  });

  test('is private and not compressed for those who are signed in', async () => {
    const path = `/tokens/${first.mintAddress}`;
    const { headers } = await creator.call('GET', path, { headers: { 'accept-encoding': 'br' } });
    expect([headers.get('content-encoding'), headers.get('cache-control')]).toEqual([null, 'no-store']);
  });
});
