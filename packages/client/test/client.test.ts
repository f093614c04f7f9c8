// What the client does by itself: follows events over lost connections, names calls, makes lost ones again, and keeps tags.
import { expect, test } from 'vitest';
import { createLevyClient, LevyError } from '../src/index.ts';

type Answer = Response | Error;

/** A service that gives these answers, one after the other; what it was asked is kept. */
function answering(...answers: readonly Answer[]) {
  const asked: Request[] = [];
  const left = [...answers];
  const levy = createLevyClient({
    baseUrl: 'https://levy.example',
    async fetch(request) {
      asked.push(request.clone());
      const answer = left.shift() ?? new Error('asked too often');
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
  return { levy, asked };
}

const lost = () => new TypeError('fetch failed');
const json = (body: unknown, init: ResponseInit = {}) => Response.json(body, init);

function stream(...blocks: readonly string[]): Response {
  const text = `retry: 1\n\n${blocks.map((block) => `${block}\n\n`).join('')}`;
  return new Response(text, { headers: { 'content-type': 'text/event-stream' } });
}

const event = (id: number, type = 'levy.tokens.created') =>
  `id: ${id}.mark\nevent: ${type}\ndata: ${JSON.stringify({ id: `event-${id}`, type, position: `${id}`, data: {} })}`;

const problem = (status: number, code: string, headers = {}) =>
  Response.json(
    { code, detail: 'No.', status },
    { status, headers: { 'content-type': 'application/problem+json', ...headers } },
  );

test('events go on after a lost connection where they were, checkpoints included, and each comes once', async () => {
  const { levy, asked } = answering(
    stream(event(1), event(2), event(5, 'levy.checkpoint')),
    lost(),
    problem(503, 'STREAMS_EXHAUSTED', { 'retry-after': '0' }),
    stream(event(6)),
  );
  const ids: string[] = [];
  for await (const { id } of levy.events({ types: ['tokens.*'], token: 'mint', after: 'start' })) {
    ids.push(id);
    if (ids.length === 3) break;
  }
  expect(ids).toEqual(['1.mark', '2.mark', '6.mark']);
  // A read whose connection breaks is made again by itself, too.
  const places = asked.map(({ url }) => new URL(url).searchParams.get('after'));
  expect(places).toEqual(['start', '5.mark', '5.mark', '5.mark']);
  expect(new URL(asked[0]?.url ?? '').search).toContain('token=mint');
  expect(asked[0]?.headers.get('accept')).toBe('text/event-stream');
});

test('a refusal that another try would not help ends the events, and so does a signal', async () => {
  const { levy } = answering(problem(400, 'VALIDATION_FAILED'));
  await expect(levy.events().next()).rejects.toBeInstanceOf(LevyError);
  const leaving = new AbortController();
  const events = answering(stream(event(1)), stream(event(2))).levy.events({ signal: leaving.signal });
  expect((await events.next()).value).toMatchObject({ id: '1.mark' });
  leaving.abort();
  expect(await events.next()).toEqual({ done: true, value: undefined });
});

test('a call whose answer is lost is made again under the same key, and another call has another key', async () => {
  const { levy, asked } = answering(lost(), json({ token: 'x' }), json({ token: 'x' }));
  const body = { walletAddress: 'w', signature: 's', message: 'm' };
  await levy.post('/auth/verify', { body });
  await levy.post('/auth/verify', { body });
  const keys = asked.map(({ headers }) => headers.get('idempotency-key'));
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
  expect(await asked[1]?.json()).toEqual(body);
});

test('a given key stays, a refusal is not repeated, and without keys a lost call is not either', async () => {
  const refused = answering(problem(503, 'STORE_UNAVAILABLE'));
  const given = refused.levy.post('/auth/logout', { headers: { 'idempotency-key': 'mine' } });
  await expect(given).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  expect(refused.asked.map(({ headers }) => headers.get('idempotency-key'))).toEqual(['mine']);
  let calls = 0;
  const keyless = createLevyClient({
    baseUrl: 'https://levy.example',
    idempotencyKeys: false,
    async fetch(request) {
      calls += 1;
      expect(request.headers.has('idempotency-key')).toBe(false);
      throw lost();
    },
  });
  await expect(keyless.post('/auth/logout')).rejects.toBeInstanceOf(TypeError);
  expect(calls).toBe(1);
});

test('an answer that is still the latest is not transferred again', async () => {
  const { levy, asked } = answering(
    json({ tokens: 7 }, { headers: { etag: '"a"' } }),
    new Response(null, { status: 304, headers: { etag: '"a"' } }),
    json({ tokens: 8 }, { headers: { etag: '"b"' } }),
  );
  const first = await levy.withETag('/totals');
  expect(first).toEqual({ data: { tokens: 7 }, etag: '"a"' });
  const again = await levy.withETag('/totals', {}, first);
  expect(again).toBe(first);
  expect(await levy.withETag('/totals', {}, again)).toEqual({ data: { tokens: 8 }, etag: '"b"' });
  expect(asked.map(({ headers }) => headers.get('if-none-match'))).toEqual([null, '"a"', '"a"']);
});
