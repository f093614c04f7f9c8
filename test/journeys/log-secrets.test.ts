/** Logs, traces and metrics of whole flows at the finest level: they have the useful fields and no secret. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { afterTheFile } from '../support/after-the-file.ts';
import type { Client, Problem } from '../support/client.ts';
import { type Creator, openCreator, signatureOf } from '../support/creator.ts';
import { newOperatorKey, OPERATOR_KEY } from '../support/operator.ts';
import { exchange, requestText } from '../support/raw-http.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { openTraceCollector } from '../support/trace-collector.ts';

type LogLine = Readonly<Record<string, unknown>>;

/** Secrets by their names. */
const secrets = new Map<string, string>();

function secret(what: string, text: string): string {
  secrets.set(what, text);
  return text;
}

const written = { log: '', stdout: '', traces: '', metrics: '' };
let lines: readonly LogLine[] = [];

beforeAll(async () => {
  const collector = await openTraceCollector();
  afterTheFile(() => collector.close());
  const service = await startServiceProcess({
    LOG_LEVEL: 'trace',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: `x-api-key=${secret('the key to the collector', 'collector-0123456789')}`,
  });
  const creator = await openCreator(service);
  secret('an access token', creator.token);
  await playSignIn(creator.client);
  await playToken(creator);
  await playOperator(creator.client);
  await playBrokenRequests(creator);
  const { bytes } = await creator.client.call('GET', '/metrics', { operatorKey: OPERATOR_KEY });
  await creator.call('POST', '/auth/logout');
  await creator.client.refusal('UNAUTHENTICATED', 'GET', '/tokens/me', { token: creator.token });
  await readSecretsOf(service.folder);

  const { stderr, stdout } = await service.stop();
  Object.assign(written, { log: stderr, stdout, traces: collector.received.join('\n') });
  written.metrics = Buffer.from(bytes).toString();
  lines = stderr
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
});

async function playSignIn(client: Client): Promise<void> {
  const keypair = Keypair.generate();
  const walletAddress = keypair.publicKey.toBase58();
  const { challenge } = await client.ask<{ challenge: string }>('POST', '/auth/challenge', {
    json: { walletAddress },
  });
  const signature = secret('the signature of a sign-in', signatureOf(keypair, Buffer.from(challenge)));
  const json = { walletAddress, signature, message: challenge };
  const { token } = await client.ask<{ token: string }>('POST', '/auth/verify', { json });
  secret('another access token', token);
  await client.refusal('SIGN_IN_FAILED', 'POST', '/auth/verify', { json });
  const forged = secret('an access token that is none', `${token.slice(0, -8)}AAAAAAAA`);
  await client.refusal('UNAUTHENTICATED', 'GET', '/tokens/me', { token: forged });
}

async function playToken(creator: Creator): Promise<void> {
  const key = (name: string) => ({
    'idempotency-key': secret(`the Idempotency-Key of ${name}`, `key-of-${name}-0123456789`),
  });
  const json = await creator.tokenInput();
  const draft = await creator.call<{
    transactionId: string;
    transaction: string;
    mintKeypair: { secretKey: number[] };
  }>('POST', '/tokens/create-unsigned', { json, headers: key('create-unsigned') });
  secret('the mint key, encrypted', Buffer.from(draft.body.mintKeypair.secretKey).toString());
  await creator.call('POST', '/tokens/create-unsigned', {
    json: { ...json, name: 'Another' },
    headers: key('create-unsigned'),
  });
  const { transactionId } = draft.body;
  const signedTransaction = secret('a signed transaction', creator.sign(draft.body));
  const tampered = secret(
    'a signed transaction that is refused',
    `${signedTransaction.slice(0, -8)}AAAAAAA=`,
  );
  const submit = (signed: string) =>
    creator.call('POST', '/tokens/submit', {
      json: { transactionId, signedTransaction: signed },
      headers: key('submit'),
    });
  await creator.call('POST', '/tokens/submit', { json: { transactionId, signedTransaction: tampered } });
  expect((await submit(signedTransaction)).status).toBe(200);
  expect((await submit(signedTransaction)).status).toBe(200);
}

async function playOperator(client: Client): Promise<void> {
  secret('the key of an operator', OPERATOR_KEY);
  const wrong = secret('a key of no operator', newOperatorKey());
  await client.call('GET', '/operator/drafts', { operatorKey: OPERATOR_KEY });
  await client.refusal('UNAUTHENTICATED', 'GET', '/operator/drafts', { operatorKey: wrong });
}

async function playBrokenRequests({ client, token, address }: Creator): Promise<void> {
  const { host } = new URL(client.url);
  const headers = {
    host,
    authorization: `Bearer ${token}`,
    'x-operator-key': OPERATOR_KEY,
    'idempotency-key': 'key-of-broken-0123456789',
  };
  secret('the Idempotency-Key of a broken request', headers['idempotency-key']);
  await exchange(client.url, requestText('GET', '/tokens/%zz', headers));
  await exchange(client.url, requestText('GET', '/tokens', { ...headers, 'x-large': 'x'.repeat(20_000) }));
  await exchange(client.url, requestText('GET', '/tokens\u0000', headers));
  const inBody = secret('what stands in a body that is no JSON', 'secret-in-a-body-0123456789');
  const answer = await client.call<Problem>('POST', '/auth/challenge', {
    headers: { 'content-type': 'application/json' },
    body: `{"walletAddress":"${address}","${inBody}`,
  });
  expect(answer.status).toBe(400);
  const inQuery = secret('what stands in a query', 'secret-in-a-query-0123456789');
  await client.call('GET', `/tokens?search=${inQuery}&access_token=${inQuery}`);
}

async function readSecretsOf(folder: string): Promise<void> {
  const seed = secret('the master seed', (await readFile(join(folder, 'master-seed'), 'utf8')).trim());
  secret('the master seed in base64', Buffer.from(seed, 'hex').toString('base64'));
  const { d } = JSON.parse(await readFile(join(folder, 'jwt-key.json'), 'utf8')) as { readonly d: string };
  secret('the key that signs access tokens', d);
}

const answered = () => lines.filter(({ msg }) => msg === 'request answered');

describe('whatever was called', () => {
  test.each(['log', 'stdout', 'traces', 'metrics'] as const)('no secret is in the %s', (place) => {
    const text = written[place];
    expect(text).not.toBe('');
    expect(secrets.size).toBeGreaterThan(15);
    for (const [what, value] of secrets) {
      expect(value.length, what).toBeGreaterThan(15);
      expect([what, text.includes(value)]).toEqual([what, false]);
    }
  });

  test('nothing was logged as an error', () => {
    expect(lines.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });
});

describe('the line of an answer', () => {
  test('says what was asked, by what kind of caller, and what came of it', () => {
    expect(answered().length).toBeGreaterThan(20);
    for (const line of answered()) {
      expect(line).toMatchObject({
        requestId: expect.any(String),
        correlationId: line.requestId,
        actor: expect.stringMatching(/^(anonymous|wallet|operator:alice)$/),
        method: expect.any(String),
        status: expect.any(Number),
        milliseconds: expect.any(Number),
      });
      // What has no route because its address is malformed comes to no trace.
      if (line.route !== undefined) expect(line.traceId).toMatch(/^[0-9a-f]{32}$/);
      expect(Number(line.status) >= 400).toBe(line.code !== undefined);
    }
  });

  test.each([
    ['POST', '/auth/verify', 200, 'anonymous', undefined],
    ['POST', '/auth/verify', 401, 'anonymous', 'SIGN_IN_FAILED'],
    ['GET', '/tokens/me', 401, 'anonymous', 'UNAUTHENTICATED'],
    ['POST', '/tokens/create-unsigned', 200, 'wallet', undefined],
    ['POST', '/tokens/create-unsigned', 422, 'wallet', 'IDEMPOTENCY_KEY_REUSED'],
    ['POST', '/tokens/submit', 200, 'wallet', undefined],
    ['GET', '/operator/drafts', 200, 'operator:alice', undefined],
    ['GET', '/operator/drafts', 401, 'anonymous', 'UNAUTHENTICATED'],
  ])('is there for %s %s with %i by %s', (method, route, status, actor, code) => {
    const found = answered().filter(
      (line) => line.method === method && line.route === route && line.status === status,
    );
    expect(found.length).toBeGreaterThan(0);
    for (const line of found) expect([line.actor, line.code]).toEqual([actor, code]);
  });
});
