/** Health and readiness routes for supervisors and load balancers. */
import { beforeAll, expect, test } from 'vitest';
import { type Client, createClient } from '../support/client.ts';
import { openTestService } from '../support/service.ts';
import { until } from '../support/until.ts';

interface Readiness {
  readonly status: string;
  readonly checks: readonly {
    readonly name: string;
    readonly ok: boolean;
    readonly [detail: string]: unknown;
  }[];
}

let client: Client;

beforeAll(async () => {
  const service = await openTestService({ NONCE_ACCOUNTS_MIN: '3' });
  client = createClient(service.url);
});

async function checkOf(name: string) {
  const { checks } = await client.ask<Readiness>('GET', '/ready');
  return checks.find((check) => check.name === name);
}

test('neither /health nor /ready waits for a position that the log does not have', async () => {
  const headers = { 'x-after-position': '9'.repeat(20) };
  for (const path of ['/health', '/ready']) {
    expect([path, (await client.call('GET', path, { headers })).status]).toEqual([path, 200]);
  }
});

test('/ready names every part that the service needs, and how it is', async () => {
  const { status, checks } = await client.ask<Readiness>('GET', '/ready');
  expect(status).toBe('ready');
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
  const names = checks.map(({ name }) => name);
  const needed = [
    'event store',
    'projection tokens',
    'projection transactions',
    'chain',
    'fee payer',
    'master seed',
    'submissions',
    'settler',
    'nonce-reclaimer',
    'nonce-accounts',
  ];
  expect(names).toEqual(expect.arrayContaining(needed));
  expect(new Set(names).size).toBe(names.length);
  // Shared read models lag behind the log.
  const tokens = await until(async () => {
    const check = await checkOf('projection tokens');
    return check?.behind === false ? check : undefined;
  });
  expect(tokens).toMatchObject({ state: 'live', behind: false, error: null });
  expect(await checkOf('fee payer')).toMatchObject({
    address: expect.any(String),
    lamports: expect.stringMatching(/^\d+$/),
  });
});

test('/ready shows the position of the log, which grows with what is recorded and not with what is asked', async () => {
  await until(async () => {
    const check = await checkOf('submissions');
    // Nonce accounts that are still being opened are recorded.
    return check?.toSettle === 0 && check.nonceAccounts === 3 ? true : undefined;
  });
  const position = async () => String((await checkOf('event store'))?.position);
  // The roles of the service record at times too (the notary signs a checkpoint), so one look may see their events.
  const before = await until(async () => {
    const atFirst = await position();
    await client.ask('GET', '/tokens');
    return (await position()) === atFirst ? atFirst : undefined;
  });
  const { headers } = await client.call('POST', '/tokens/generate-distribution-wallet');
  const recorded = String(headers.get('x-position'));
  expect(recorded > before).toBe(true);
  // Callers share an answer for a tenth of a second.
  await until(async () => ((await position()) >= recorded ? true : undefined));
});
