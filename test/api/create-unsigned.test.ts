/** Refusals of create-unsigned; a refused call records nothing. */
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Problem } from '../support/client.ts';
import { type Creator, openCreator, type TokenInput } from '../support/creator.ts';
import { openTestService, type TestService } from '../support/service.ts';

const PATH = '/tokens/create-unsigned';
const SOME_ID = '7c9e6679-7425-40de-944b-e07fc1f90ae7';

let service: TestService;

beforeAll(async () => {
  // Most drafts here are never submitted, and hold their accounts.
  service = await openTestService({ NONCE_ACCOUNTS_MIN: '60' });
});

afterEach(() => {
  expect(service.logged.filter(({ level }) => level >= 50)).toEqual([]);
});

/** Refused with this code, and nothing recorded. */
async function refused(
  creator: Creator,
  code: Parameters<Creator['client']['refusal']>[0],
  json: TokenInput,
): Promise<Problem> {
  const before = service.recorded.length;
  const problem = await creator.client.refusal(code, 'POST', PATH, { token: creator.token, json });
  expect(service.recorded.slice(before)).toEqual([]);
  return problem;
}

describe('the distribution wallet', () => {
  test('must have been generated', async () => {
    const creator = await openCreator(service);
    await refused(creator, 'WALLET_NOT_FOUND', await creator.tokenInput({ walletId: SOME_ID }));
  });

  test('is good for one token', async () => {
    const [creator, other] = [await openCreator(service), await openCreator(service)];
    const { walletId } = await creator.generateWallet();
    await creator.createToken({ walletId });
    for (const late of [creator, other]) {
      await refused(late, 'WALLET_ALREADY_USED', await late.tokenInput({ walletId }));
    }
  });

  test('goes to the creator who submits first: the draft of another one is refused', async () => {
    const [creator, other] = [await openCreator(service), await openCreator(service)];
    const { walletId } = await creator.generateWallet();
    const [first, second] = [await creator.draft({ walletId }), await other.draft({ walletId })];
    await other.submit(second);
    for (const late of [creator, other])
      await refused(late, 'WALLET_ALREADY_USED', await late.tokenInput({ walletId }));
    await creator.client.refusal('WALLET_ALREADY_USED', 'POST', '/tokens/submit', {
      token: creator.token,
      json: { transactionId: first.transactionId, signedTransaction: creator.sign(first) },
    });
  });
});

describe('the image', () => {
  test('must be one that this service stores', async () => {
    const creator = await openCreator(service);
    const { walletId } = await creator.generateWallet();
    const unknown = 'bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy';
    const uris = [
      `${service.url}/images/${unknown}.jpg`,
      'https://elsewhere.example/cat.jpg',
      'cat.jpg',
      'x',
      'ipfs://x',
      `${service.url}/images/../master-seed`,
    ];
    for (const imageUri of uris) {
      await refused(creator, 'IMAGE_NOT_FOUND', await creator.tokenInput({ walletId, imageUri }));
    }
  });

  test('is known by its content, whatever address the service had when it was uploaded', async () => {
    const creator = await openCreator(service);
    const { imageCid, imageUri } = await creator.upload();
    const { mintKeypair } = await creator.draft({ imageUri: `https://old.example/images/${imageCid}.jpg` });
    const metadata = await creator.client.ask('GET', `/metadata/${mintKeypair.publicKey}.json`);
    expect(metadata).toMatchObject({ image: imageUri });
  });
});

describe('the money', () => {
  test('is told in lamports, needed and found, where the wallet does not hold enough', async () => {
    const creator = await openCreator(service, { sol: 0 });
    const { details } = await refused(creator, 'INSUFFICIENT_FUNDS', await creator.tokenInput());
    expect(details).toEqual([
      { path: ['needed'], message: expect.stringMatching(/^[1-9]\d+$/) },
      { path: ['found'], message: '0' },
    ]);
  });
});
