/** The stream of events over HTTP: what it tells whom, from where, and to how many. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { EventStore, JsonObject } from '../../src/kernel/ports/event-store.ts';
import type { Constants } from '../../src/operations/config/constants.ts';
import { type Client, createClient, type Problem } from '../support/client.ts';
import { type Creator, openCreator } from '../support/creator.ts';
import { type EventStream, openEventStream, type StreamOptions } from '../support/event-stream.ts';
import { record, someToken } from '../support/feeding.ts';
import { OPERATOR_KEY } from '../support/operator.ts';
import { exchange, requestText } from '../support/raw-http.ts';
import { openTestService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const PAGE = 'https://app.example';
const opened: EventStream[] = [];

afterEach(() => {
  for (const stream of opened.splice(0)) stream.close();
});

async function open({ url }: { readonly url: string }, options?: StreamOptions): Promise<EventStream> {
  const stream = await openEventStream(url, options);
  opened.push(stream);
  return stream;
}

/** The service, and its log to record in directly what would take a chain many minutes. */
async function openWithLog({
  environment = {},
  constants,
  decorateStore = (store) => store,
}: {
  readonly environment?: { readonly [name: string]: string };
  readonly constants?: Partial<Constants>;
  readonly decorateStore?: (store: EventStore) => EventStore;
} = {}) {
  let log: EventStore | undefined;
  const service = await openTestService(
    { NONCE_ACCOUNTS_MIN: '0', ...environment },
    {
      constants,
      decorateStore(store) {
        log = store;
        return decorateStore(store);
      },
    },
  );
  if (log === undefined) throw new Error('the service has no log');
  return { service, log };
}

const typesOf = ({ events }: EventStream) => events.map(({ type }) => type);

describe('what happens', () => {
  let service: TestService;
  let creator: Creator;
  let client: Client;

  beforeAll(async () => {
    service = await openTestService({ ALLOWED_ORIGINS: PAGE }, { constants: { eventsHeartbeatMs: 50 } });
    creator = await openCreator(service);
    client = createClient(service.url);
  });

  test('is told to who listens, and again to who comes later, the very same', async () => {
    const live = await open(service);
    const { mintAddress, signature } = await creator.createToken({
      name: 'Told',
      twitter: 'https://x.example',
    });
    const [told] = await live.told(1);
    const { token } = await client.ask<{ token: JsonObject }>('GET', `/tokens/${mintAddress}`);
    expect(told).toMatchObject({
      specversion: '1.0',
      type: 'levy.tokens.created',
      subject: token.id,
      time: token.createdAt,
      datacontenttype: 'application/json',
      data: { tokenId: token.id, mintAddress, signature, creator: creator.address, name: 'Told' },
    });
    // Everything that is told of it is public already, but for what the chain alone shows.
    for (const [name, value] of Object.entries(told?.data ?? {})) {
      if (['tokenId', 'creator', 'signature', 'transferFeeAdjustable'].includes(name)) continue;
      expect([name, value]).toEqual([name, token[name]]);
    }
    const later = await open(service, { after: 'start', types: 'tokens.created' });
    await until(async () => later.events.find(({ id }) => id === told?.id));
    expect(later.events.at(-1)).toEqual(told);
  });

  test('is told to operators in full, and each as the description says', async () => {
    const owner = await openCreator(service);
    const of = { creator: owner.address };
    const [anybody, operator] = await Promise.all([
      open(service, of),
      open(service, { ...of, operatorKey: OPERATOR_KEY }),
    ]);
    const { token } = await owner.createToken();
    const json = { telegramGroupId: '-100123', burnPercent: 7.5 };
    await client.ask('PATCH', `/distribution/${token.id}/settings`, { token: owner.token, json });
    const last = (await operator.told(5)).at(-1)?.position ?? '';
    await anybody.reached(last);
    expect(typesOf(anybody)).toEqual(['levy.tokens.created', 'levy.distributions.configured']);
    expect(typesOf(operator).toSorted()).toEqual([
      'levy.distributions.configured',
      'levy.submissions.accepted',
      'levy.submissions.confirmed',
      'levy.submissions.finalized',
      'levy.tokens.created',
    ]);
    const configured = operator.events.find(({ type }) => type === 'levy.distributions.configured');
    expect(configured?.data).toEqual({
      tokenId: token.id,
      mintAddress: token.mintAddress,
      settings: { burnPercent: 7.5 },
    });
    expect(anybody.events.at(-1)?.data).toEqual(configured?.data);
    for (const { type, data } of operator.events) {
      const { tokenId, mintAddress } = data ?? {};
      expect([type, tokenId, mintAddress]).toEqual([type, token.id, token.mintAddress]);
    }

    const description = await client.ask<JsonObject>('GET', '/asyncapi.json');
    const validator = addFormats.default(new Ajv({ strict: false })).addSchema(description, 'description');
    for (const event of [...operator.events, ...operator.checkpoints]) {
      const message = event.type.replace(/^levy\./, '').replaceAll('~', '~0');
      const validate = validator.getSchema(`description#/components/messages/${message}/payload`);
      expect([event.type, validate?.(event), validate?.errors]).toEqual([event.type, true, null]);
    }
  });

  test('is told of one token, by either id, or of one creator, and goes on after what it was told last', async () => {
    const other = await openCreator(service);
    const all = await open(service);
    const after = await until(async () => all.lastEventId);
    const { token, mintAddress } = await creator.createToken();
    const wishes = [{ token: token.id }, { token: mintAddress }, { creator: creator.address }];
    const own = await Promise.all(wishes.map((wish) => open(service, { ...wish, types: 'tokens.*', after })));
    await other.createToken();
    for (const act of ['hide', 'show'])
      await client.ask('POST', `/operator/tokens/${mintAddress}/${act}`, {
        operatorKey: OPERATOR_KEY,
        json: { reason: 'A test.' },
      });
    const last = (await all.told(4)).at(-1)?.position ?? '';
    const expected = all.events.filter(({ data }) => data?.tokenId === token.id);
    for (const stream of own) {
      await stream.reached(last);
      expect(stream.events).toEqual(expected);
    }
    const resumed = await open(service, { token: mintAddress, lastEventId: expected[0]?.position });
    await resumed.reached(last);
    expect(resumed.events).toEqual(expected.slice(1));
    await client.refusal('INVALID_ADDRESS', 'GET', `/events?creator=${'1'.repeat(44)}`);
    await client.refusal('VALIDATION_FAILED', 'GET', '/events?token=nonsense');
  });

  test('is told to a creator who is signed in with what becomes of their own submissions, until they sign out', async () => {
    const [owner, other] = await Promise.all([openCreator(service), openCreator(service)]);
    const [own, others, anybody] = await Promise.all([
      open(service, { accessToken: owner.token }),
      open(service, { accessToken: other.token }),
      open(service),
    ]);
    const { token } = await owner.createToken();
    const last = (await own.told(4)).at(-1)?.position ?? '';
    await Promise.all([others.reached(last), anybody.reached(last)]);
    expect(typesOf(own).toSorted()).toEqual([
      'levy.submissions.accepted',
      'levy.submissions.confirmed',
      'levy.submissions.finalized',
      'levy.tokens.created',
    ]);
    for (const { data } of own.events) expect(data).toMatchObject({ tokenId: token.id });
    for (const stream of [others, anybody]) expect(typesOf(stream)).toEqual(['levy.tokens.created']);
    await client.refusal('VALIDATION_FAILED', 'GET', '/events?types=submissions.*');
    await client.refusal('UNAUTHENTICATED', 'GET', '/events', { token: 'nonsense' });
    await client.ask('POST', '/auth/logout', { token: other.token });
    await others.end();
    expect([own.ended, anybody.ended]).toEqual([false, false]);
  });

  /** What the feed sends until it matches. */
  async function textUntil(path: string, pattern: RegExp, headers: Record<string, string> = {}) {
    const leaving = new AbortController();
    const { status, body } = await fetch(`${service.url}${path}`, { headers, signal: leaving.signal });
    let text = '';
    for await (const piece of body ?? []) {
      text += Buffer.from(piece).toString();
      if (pattern.test(text)) break;
    }
    leaving.abort();
    return { status, text };
  }

  test('no block is without an event: some clients deliver one that is empty', async () => {
    await creator.createToken();
    // Heartbeats come between, and after, the events.
    const { text } = await textUntil('/events?after=start', /^data: .*^:\n.*^:\n/ms);
    const blocks = text.split('\n\n').slice(0, -1);
    for (const block of blocks) expect(block).toMatch(/^data: /m);
    expect(blocks[0]).toMatch(/^retry: /);
  });

  test('what clients add to a query changes nothing, and Last-Event-ID counts before lastEventId before after', async () => {
    await creator.createToken();
    const firstId = async (query: string, headers?: Record<string, string>) => {
      const { text } = await textUntil(`/events?types=tokens.created&${query}`, /^id: .*\n/m, headers);
      return /^id: (.*)$/m.exec(text)?.[1] ?? '';
    };
    const first = await firstId('after=start&_=17&utm_source=x&evs_preamble=1');
    const second = await firstId(`after=${first}`);
    expect(second > first).toBe(true);
    expect(await firstId('after=start&lastEventId=')).toBe(first);
    expect(await firstId(`after=start&lastEventId=${first}`)).toBe(second);
    expect(await firstId('lastEventId=start', { 'last-event-id': first })).toBe(second);
    await client.refusal('VALIDATION_FAILED', 'GET', '/events?after=start&lastEventId=nonsense');
  });

  test('the answer is a stream that nobody keeps, and that pages of any origin may read', async () => {
    const answer = await client.call('GET', '/events', { headers: { origin: PAGE } });
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'access-control-allow-origin': PAGE,
      vary: 'Origin',
    });
    const stranger = await client.call('GET', '/events', { headers: { origin: 'https://evil.example' } });
    expect([stranger.status, stranger.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    const head = await exchange(service.url, requestText('HEAD', '/events'));
    expect([head.status, head.text, head.headers.get('content-type')]).toEqual([
      200,
      '',
      'text/event-stream',
    ]);
  });

  test.each([
    '?types=tokens.created,nonsense.*',
    '?types=submissions.accepted',
    '?after=latest',
    `?after=${'9'.repeat(20)}`,
    '?from=start',
  ])('%s is refused', async (query) => {
    await client.refusal('VALIDATION_FAILED', 'GET', `/events${query}`);
  });
});

describe('there are only so many places', () => {
  test('in all, and they become free again', async () => {
    const { service } = await openWithLog({ constants: { eventsSubscribersMax: 1 } });
    const client = createClient(service.url);
    const first = await open(service);
    const problem = await client.refusal('STREAMS_EXHAUSTED', 'GET', '/events');
    expect(problem.status).toBe(503);
    const { headers } = await client.call<Problem>('GET', '/events');
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await client.call('GET', '/tokens')).status).toBe(200);
    first.close();
    await until(async () => (await client.call('GET', '/events')).status === 200 || undefined);
  });

  test('for one address, and who goes before the answer comes takes none', async () => {
    // As where other processes append: what lies beyond the end may come.
    const { service, log } = await openWithLog({
      constants: { eventsSubscribersPerAddress: 2 },
      decorateStore: (store) => ({ ...store, mayHave: async () => true }),
    });
    const client = createClient(service.url);
    const { hostname, port } = new URL(service.url);
    // They wait for what is recorded next, and are gone when it is.
    const next = String(Number(await log.head()) + 1).padStart(20, '0');
    const headers = { connection: 'keep-alive', 'x-after-position': next, expect: '100-continue' };
    for (let count = 0; count < 3; count += 1) {
      const socket = connect(Number(port), hostname);
      socket.write(requestText('GET', '/events', headers));
      const [answer] = await once(socket, 'data');
      expect(String(answer)).toMatch(/^HTTP\/1\.1 100 /);
      socket.resetAndDestroy();
    }
    await client.ask('GET', '/health');
    await record(log, someToken());
    await Promise.all([open(service), open(service)]);
    const { status, headers: told, body } = await client.call<Problem>('GET', '/events');
    expect([status, body.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(told.get('retry-after'))).toBeGreaterThan(0);
  });
});

test('opening a stream counts as a call, and nothing of what it tells does', async () => {
  const { service, log } = await openWithLog({ environment: { RATE_LIMITS: 'on' } });
  const client = createClient(service.url);
  const left = async () => Number((await client.call('GET', '/tokens')).headers.get('x-ratelimit-remaining'));
  const before = await left();
  const stream = await open(service);
  expect(stream.headers.get('x-ratelimit-remaining')).toBe(String(before - 1));
  for (let count = 0; count < 20; count += 1) await record(log, someToken());
  await stream.told(20);
  expect(await left()).toBe(before - 2);
});
