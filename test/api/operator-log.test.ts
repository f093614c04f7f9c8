/** The log as operators' programs read it: GET /operator/log, and the reader over it. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { Value } from '@sinclair/typebox/value';
import { beforeAll, describe, expect, test } from 'vitest';
import type { RecordedEvent } from '../../src/kernel/ports/event-store.ts';
import { baseOf, openServiceLog } from '../../src/levy/service-client.ts';
import { readLogPage } from '../../src/queries/read-log.ts';
import { allOf } from '../support/all-of.ts';
import { type CallOptions, type Client, createClient } from '../support/client.ts';
import { listening } from '../support/listening.ts';
import { newOperatorKey, OPERATOR_KEY } from '../support/operator.ts';
import { openTestService, type TestService } from '../support/service.ts';

let service: TestService;
let client: Client;
const asOperator: CallOptions = { operatorKey: OPERATOR_KEY };
/** A stream of another program, which the service's own loops ignore. */
const stream = `foreign-${randomUUID()}`;

beforeAll(async () => {
  service = await openTestService({ NONCE_ACCOUNTS_MIN: '0' });
  client = createClient(service.url);
  for (let count = 0; count < 25; count += 1) {
    const event = { id: randomUUID(), type: 'thing-happened', data: { count }, metadata: { note: 'ü\n' } };
    await service.append(stream, count === 0 ? 'none' : count - 1, [event]);
  }
});

async function pageOf(query: string): Promise<readonly RecordedEvent[]> {
  const { status, bytes, headers } = await client.call('GET', `/operator/log${query}`, asOperator);
  expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
    200,
    'application/x-ndjson',
    'no-store',
  ]);
  const text = Buffer.from(bytes).toString();
  const lines = text.split('\n');
  expect(lines.pop()).toBe('');
  const events = lines.map((line) => JSON.parse(line));
  for (const event of events) expect([...Value.Errors(readLogPage.output, event)]).toEqual([]);
  return events;
}

describe('GET /operator/log', () => {
  test('answers HEAD without reading the log', async () => {
    const { status, bytes } = await client.call('HEAD', '/operator/log', asOperator);
    expect([status, bytes.length]).toEqual([200, 0]);
  });
});

describe('GET /operator/events', () => {
  test.each([
    ['?after=nonsense', 'after'],
    ['?after=42', 'after'],
    ['?after=99999999999999999999', 'after'],
    [`?stream=${stream}&after=00000000000000000001`, 'after'],
    ['?since=yesterday', 'since'],
    ['?since=', 'since'],
    ['?until=2026-13-01T00:00:00Z', 'until'],
    ['?since=1h&until=2h', 'since'],
    ['?stream=token', 'stream'],
    ['?category=a-b', 'category'],
    ['?type=', 'type'],
    ['?order=random', 'order'],
    ['?limit=101', 'limit'],
    ['?page=1', 'page'],
  ])('refuses %s, and names what is wrong', async (query, field) => {
    const { details } = await client.refusal(
      'VALIDATION_FAILED',
      'GET',
      `/operator/events${query}`,
      asOperator,
    );
    expect(details?.map(({ path }) => path)).toEqual([[field]]);
  });
});

describe('the reader of a running service', () => {
  const open = async (url = service.url, operatorKey = OPERATOR_KEY) =>
    openServiceLog({ base: baseOf(url), operatorKey }, [1, 1]);

  test('goes on where an answer broke off, and nothing comes twice', async () => {
    let answers = 0;
    // Between them: cuts every other page in the middle of a line.
    const between = createServer(async ({ url = '', headers }, response) => {
      const key = String(headers['x-operator-key']);
      const text = await (await fetch(service.url + url, { headers: { 'x-operator-key': key } })).text();
      answers += 1;
      if (url.startsWith('/operator/log') && answers % 2 === 0) {
        response.write(text.slice(0, text.indexOf('\n', 3_000) + 40), () => response.destroy());
      } else response.end(text);
    });
    const port = await listening(between);
    const whole = await pageOf('?limit=10000');
    const log = await open(`http://127.0.0.1:${port}`);
    const read = await allOf(log.events());
    expect(read.slice(0, whole.length).map(({ id }) => id)).toEqual(whole.map(({ id }) => id));
    await log.close();
  });

  test('says what is wrong: a key, a service that is not there, an address', async () => {
    await expect(open(service.url, newOperatorKey())).rejects.toThrow(/refuses this operator's key/);
    await expect(open('http://127.0.0.1:1')).rejects.toThrow(/http:\/\/127.0.0.1:1\/ does not respond/);
    await expect(open('levy.example')).rejects.toThrow(/write https:\/\/host/);
    await expect(open('http://a:b@127.0.0.1')).rejects.toThrow(/without user and password/);
  });
});
