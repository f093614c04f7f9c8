/** The operator's public configuration: one call, cacheable. */
import { expect, test } from 'vitest';
import { createClient, type Problem } from '../support/client.ts';
import { openCreator } from '../support/creator.ts';
import { openTestService } from '../support/service.ts';

interface Config {
  readonly tokens: { readonly maxTransferFeePercent: number };
  readonly promotions: { readonly available: boolean };
  readonly quotas: readonly { readonly policy: string; readonly calls: number }[];
}

test('the limits are those by which the service goes, and the quotas those that its answers name', async () => {
  const service = await openTestService({
    NONCE_ACCOUNTS_MIN: '0',
    RATE_LIMITS: 'general=77/15m',
    MAX_TRANSFER_FEE_PERCENT: '4.5',
    FEATURED_PRICE_PER_DAY: '123456789',
  });
  const client = createClient(service.url);
  const { body, headers } = await client.call<Config>('GET', '/config');
  expect(body).toMatchObject({
    chain: 'localnet',
    faucet: true,
    tokens: {
      maxTransferFeePercent: 4.5,
      nameLimits: { characters: 32, bytes: 32 },
      descriptionLimits: { characters: 1_000 },
    },
    images: { maxBytes: 1_048_576, side: 512 },
    distribution: {
      intervals: ['5m', '10m', '15m', '30m', '1h', '6h', '12h', '24h'],
      maxPartnerShareBasisPoints: 5_000,
    },
    promotions: { available: true, pricePerDay: '123456789', places: 10, maxDays: 30 },
    launches: { available: false },
    drafts: { lifetimeSeconds: 300, maxOpenPerWallet: 3 },
  });
  expect(headers.get('x-ratelimit-limit')).toBe('77');
  expect(body.quotas).toContainEqual({
    policy: 'general',
    calls: 77,
    windowSeconds: 900,
    countedBy: 'wallet-or-ip',
  });
  expect(body.quotas.map(({ policy }) => policy)).not.toContain('operator');

  const creator = await openCreator(service, { sol: 1 });
  const tax = async (transferFeePercent: number) => {
    const json = await creator.tokenInput({ transferFeePercent });
    return (await creator.call<Problem>('POST', '/tokens/create-unsigned', { json })).status;
  };
  expect([await tax(4.51), await tax(4.5)]).toEqual([400, 200]);
});

test('any cache may keep it, and asking again with its tag gets no body; the description of the API points there', async () => {
  const { url } = await openTestService({ NONCE_ACCOUNTS_MIN: '0' });
  const client = createClient(url);
  const first = await client.call<Config>('GET', '/config');
  expect(first.headers.get('cache-control')).toContain('public');
  expect(first.body.quotas).toEqual([]);
  const again = await client.call('GET', '/config', {
    headers: { 'if-none-match': first.headers.get('etag') ?? '' },
  });
  expect([again.status, again.bytes.length]).toEqual([304, 0]);
  const { info } = await client.ask<{ info: { description: string } }>('GET', '/openapi.json');
  expect(info.description).toContain('`GET /config`');
});
