// Answers that are built once: compressed as the caller accepts, confirmed by their tag, and never built again.
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { ReadyAnswer } from '../../../../src/kernel/runtime/define-query.ts';
import { addPrebuiltRoute, sendPrebuilt } from '../../../../src/server/http/prebuilt-responses.ts';

const TEXT = JSON.stringify({ paths: 'a path '.repeat(1_000) });
const json = (content: string) =>
  new ReadyAnswer(content, { mediaType: 'application/json; charset=utf-8', caching: 'revalidated' });

function serving(answer: ReadyAnswer) {
  const server = Fastify();
  addPrebuiltRoute(server, '/ready-made', () => answer);
  server.get('/absent', (request, reply) => sendPrebuilt(request, reply.status(404), answer));
  return (
    headers: Readonly<Record<string, string>> = {},
    method: 'GET' | 'HEAD' = 'GET',
    url = '/ready-made',
  ) => server.inject({ method, url, headers });
}

test.each([
  [{}, undefined],
  [{ 'accept-encoding': 'zstd, deflate' }, undefined],
  [{ 'accept-encoding': 'gzip;q=0, *;q=0' }, undefined],
  [{ 'accept-encoding': 'gzip' }, 'gzip'],
  [{ 'accept-encoding': 'GZIP;q=0.5, br;q=0' }, 'gzip'],
  [{ 'accept-encoding': 'gzip, deflate, br' }, 'br'],
  [{ 'accept-encoding': '*' }, 'br'],
])('a caller with %j gets the coding %s', async (headers, coding) => {
  const { headers: sent, rawPayload } = await serving(json(TEXT))(headers);
  expect([sent['content-encoding'], sent.vary]).toEqual([coding, 'Accept-Encoding']);
  const plain =
    coding === 'br'
      ? brotliDecompressSync(rawPayload)
      : coding === 'gzip'
        ? gunzipSync(rawPayload)
        : rawPayload;
  expect(plain.toString()).toBe(TEXT);
  if (coding !== undefined) expect(rawPayload.length).toBeLessThan(TEXT.length / 10);
});

test.each([
  'identity',
  'gzip',
  'br',
])('a caller who holds the answer in %s is sent nothing, and no other coding', async (coding) => {
  const call = serving(json(TEXT));
  const { etag = '' } = (await call({ 'accept-encoding': coding })).headers;
  const again = await call({ 'accept-encoding': coding, 'if-none-match': `W/${etag}` });
  expect([again.statusCode, again.payload, again.headers.etag]).toEqual([304, '', etag]);
  const other = coding === 'br' ? 'gzip' : 'br';
  expect((await call({ 'accept-encoding': other, 'if-none-match': etag })).statusCode).toBe(200);
});

test('HEAD gives the length of the answer to the same GET, and encodes nothing anew', async () => {
  const answer = json(TEXT);
  const call = serving(answer);
  const [get, head] = [
    await call({ 'accept-encoding': 'gzip' }),
    await call({ 'accept-encoding': 'gzip' }, 'HEAD'),
  ];
  expect(head.headers['content-length']).toBe(String(get.rawPayload.length));
  expect(head.headers.etag).toBe(get.headers.etag);
  expect(await answer.compressed('gzip')).toBe(await answer.compressed('gzip'));
});

test('short texts and pictures are sent as they are', async () => {
  for (const answer of [
    json('{}'),
    new ReadyAnswer(new Uint8Array(10_000), { mediaType: 'image/webp', caching: 'public' }),
  ]) {
    const { headers } = await serving(answer)({ 'accept-encoding': 'gzip, br' });
    expect([headers['content-encoding'], headers.vary]).toEqual([undefined, undefined]);
  }
});

test('the page of a path that does not exist is not confirmed by its tag', async () => {
  const call = serving(json(TEXT));
  const { etag = '' } = (await call({}, 'GET', '/absent')).headers;
  expect((await call({ 'if-none-match': etag }, 'GET', '/absent')).statusCode).toBe(404);
});
