// A wallet's open drafts are counted together, whatever they are for, and whenever they are asked for.
import { expect, test } from 'vitest';
import type { Problem } from '../support/client.ts';
import { openCreator } from '../support/creator.ts';
import { openTestService, type TestService } from '../support/service.ts';

/** The codes of what was refused of twelve drafts for three purposes, all asked for at the same moment. */
async function refusedOfTwelve(service: TestService): Promise<readonly string[]> {
  const creator = await openCreator(service);
  const { mintAddress } = await creator.createToken({ transferFeeAdjustable: true });
  const inputs = await Promise.all(Array.from({ length: 4 }, () => creator.tokenInput()));
  const asked = inputs.flatMap((input, index) => [
    creator.call<{ code?: string }>('POST', '/tokens/create-unsigned', { json: input }),
    creator.call<{ code?: string }>('POST', '/featured/create-unsigned', {
      json: { tokenMint: mintAddress, days: 1 + index },
    }),
    creator.call<{ code?: string }>('POST', `/tokens/${mintAddress}/transfer-fee/create-unsigned`, {
      json: { transferFeePercent: 1 + index },
    }),
  ]);
  const answers = await Promise.all(asked);
  return answers.flatMap(({ status, body }) => (status === 200 ? [] : [body.code ?? String(status)]));
}

const allButThree = Array(9).fill('TOO_MANY_DRAFTS');

test('of drafts for several purposes, asked for at once, no more than three are issued to a wallet', async () => {
  expect(await refusedOfTwelve(await openTestService())).toEqual(allButThree);
});

test('of a supply that runs low, the network that holds most gets no other draft, whichever of its addresses asks', async () => {
  const service = await openTestService({
    RATE_LIMITS: 'create-unsigned=100/h,generate-wallet=100/h,upload=100/h',
    TRUSTED_PROXIES: '127.0.0.1',
    NONCE_ACCOUNTS_MIN: '4',
    NONCE_ACCOUNTS_MAX: '4',
  });
  const askFrom = async (address: string) => {
    const creator = await openCreator(service);
    const { status, body, headers } = await creator.call<Problem>('POST', '/tokens/create-unsigned', {
      json: await creator.tokenInput(),
      headers: { 'x-forwarded-for': address },
    });
    return [status, body.code ?? 'issued', headers.get('retry-after') === null ? 'at once' : 'later'];
  };
  const issued = [200, 'issued', 'at once'];
  expect(await askFrom('2001:db8:9:100::1')).toEqual(issued);
  expect(await askFrom('2001:db8:9:2200::1')).toEqual(issued);
  expect(await askFrom('[2001:db8:9:3300::1]:4000')).toEqual([503, 'DRAFTS_EXHAUSTED', 'later']);
  expect(await askFrom('203.0.113.77:4000')).toEqual(issued);
  expect(await askFrom('2001:db8:9:4400::1')).toEqual([503, 'DRAFTS_EXHAUSTED', 'later']);
  expect(await askFrom('2001:db8:a::1')).toEqual(issued);
});
