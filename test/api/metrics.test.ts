/** Metrics route: access, and values that match the calls made before. */
import { Keypair } from '@solana/web3.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Creator, openCreator } from '../support/creator.ts';
import { type Exposition, readExposition } from '../support/exposition.ts';
import { OPERATOR_KEY } from '../support/operator.ts';
import { exchange, requestText } from '../support/raw-http.ts';
import { openTestService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

let service: TestService;
let creator: Creator;

beforeAll(async () => {
  service = await openTestService({
    METRICS_PORT: '0',
    NONCE_ACCOUNTS_MIN: '3',
    NONCE_ACCOUNTS_MAX: '7',
    RATE_LIMITS: 'general=100000/15m,featured=3/h',
  });
  creator = await openCreator(service);
});

async function measured(): Promise<Exposition> {
  const answer = await fetch(`${service.metricsUrl}/metrics`);
  expect(answer.status).toBe(200);
  return readExposition(await answer.text());
}

async function requests(labels: Readonly<Record<string, string>>): Promise<number> {
  return (await measured()).value('levy_http_requests_total', labels) ?? 0;
}

describe('the metrics', () => {
  test('are given to operators, where there are any, and to nobody else', async () => {
    const { client } = creator;
    const { status, headers, bytes } = await client.call('GET', '/metrics', { operatorKey: OPERATOR_KEY });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(readExposition(Buffer.from(bytes).toString()).value('levy_build_info')).toBe(1);
    await client.refusal('UNAUTHENTICATED', 'GET', '/metrics');
    await client.refusal('UNAUTHENTICATED', 'GET', '/metrics', { token: creator.token });
    await client.refusal('UNAUTHENTICATED', 'GET', '/metrics', { operatorKey: 'another' });
  });

  test('need no key on a listener of their own', async () => {
    expect((await measured()).value('levy_build_info')).toBe(1);
  });
});

describe('answers', () => {
  test('are counted under the pattern of their route, whatever was asked for', async () => {
    const labels = { method: 'GET', route: '/tokens/:mintAddress', status: '404' };
    const before = await requests(labels);
    for (let count = 0; count < 20; count += 1) {
      const { publicKey } = Keypair.generate();
      await creator.client.refusal('TOKEN_NOT_FOUND', 'GET', `/tokens/${publicKey.toBase58()}`);
    }
    expect(await requests(labels)).toBe(before + 20);
  });

  test('to what is hardly HTTP are counted apart', async () => {
    const before = (await measured()).value('levy_http_unreadable_requests_total') ?? 0;
    await exchange(service.url, 'nonsense\r\n\r\n');
    await exchange(service.url, requestText('GET', '/tokens', { 'x-large': 'x'.repeat(40_000) }));
    expect((await measured()).value('levy_http_unreadable_requests_total')).toBe(before + 2);
  });

  test('that a rate limit refuses are counted by its policy', async () => {
    const buy = { token: creator.token, json: {} };
    for (let calls = 0; calls < 3; calls += 1)
      await creator.client.refusal('VALIDATION_FAILED', 'POST', '/featured/create-unsigned', buy);
    await creator.client.refusal('RATE_LIMITED', 'POST', '/featured/create-unsigned', buy);
    const { value } = await measured();
    expect(value('levy_rate_limit_refusals_total', { policy: 'featured' })).toBe(1);
    expect(value('levy_rate_limit_refusals_total', { policy: 'general' })).toBeUndefined();
  });
});

describe('a token on its way', () => {
  test('is in the figures from the draft to the end', async () => {
    const atRest = await measured();
    expect(atRest.value('levy_nonce_accounts', { state: 'free' })).toBe(3);
    expect(atRest.value('levy_nonce_accounts_maximum')).toBe(7);
    expect(atRest.value('levy_drafts', { state: 'open' })).toBe(0);

    const draft = await creator.draft();
    // Where read models are shared, they follow the log at a distance.
    const open = await until(async () => {
      const now = await measured();
      return now.value('levy_drafts', { state: 'open' }) === 0 ? undefined : now;
    });
    expect(open.value('levy_drafts', { state: 'open' })).toBe(1);
    expect(open.value('levy_nonce_accounts', { state: 'leased' })).toBe(1);
    expect(open.value('levy_nonce_accounts', { state: 'free' })).toBe(2);
    expect(open.value('levy_nonce_accounts', { state: 'known' })).toBe(3);

    await creator.submit(draft);
    const settled = await until(async () => {
      const now = await measured();
      const isOver =
        now.value('levy_settler_queue_length') === 0 &&
        now.value('levy_nonce_accounts', { state: 'leased' }) === 0;
      return isOver ? now : undefined;
    });
    expect(settled.value('levy_settler_oldest_submission_age_seconds')).toBe(0);
    for (const state of ['open', 'submitted', 'confirmed']) {
      expect(settled.value('levy_drafts', { state })).toBe(0);
    }
    for (const type of ['DraftIssued', 'SubmissionAccepted', 'SubmissionFinalized', 'TokenCreated']) {
      expect([type, settled.value('levy_events_appended_total', { type })]).toEqual([type, 1]);
    }
    expect(settled.value('levy_append_duration_seconds_count', { outcome: 'appended' })).toBeGreaterThan(4);
    expect(settled.value('levy_chain_calls_total', { method: 'send', outcome: 'answered' })).toBeGreaterThan(
      0,
    );
  });
});
