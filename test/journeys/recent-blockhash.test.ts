// Drafts on recent blockhashes, on a chain that has no durable nonces: every kind of draft, its end, and that nobody pays
// twice, whatever lands when.
import { beforeAll, describe, expect, test } from 'vitest';
import { swallowSends } from '../support/chain-proxy.ts';
import { type Draft, openCreator, signedBy } from '../support/creator.ts';
import { eventually } from '../support/eventually.ts';
import { PRICED, promotionDraft, submitPromotion } from '../support/promotions.ts';
import type { Environment } from '../support/service.ts';
import { openCreatorBehindProxy } from '../support/service-behind-proxy.ts';
import { openServiceOnChain, openTestChain } from '../support/service-on-chain.ts';
import {
  latest,
  lifeOf,
  mintExists,
  paymentsTo,
  recordedText,
  sendRaw,
  signedAgain,
  submission,
  tokensHeldBy,
  transactionStatus,
} from '../support/settling.ts';

const TREASURY_ADDRESS = 'CktRuQ2mttgRGkXJtyksdKHjUdc2C4TgDzyB98oEzy8';
const ENVIRONMENT = {
  DRAFT_LIFETIME_KIND: 'recent-blockhash',
  NONCE_ACCOUNTS_MIN: '0',
  TREASURY_ADDRESS,
  ...PRICED,
};

/** Milliseconds: long enough for a test to sign. */
const SLOT = 100;

let chainUrl: string;

beforeAll(async () => {
  chainUrl = (await openTestChain({ nonces: false, slotMilliseconds: SLOT })).url;
});

const scene = (environment: Environment = {}) =>
  openCreatorBehindProxy({ chainUrl, lamports: 0, environment: { ...ENVIRONMENT, ...environment } });

describe.concurrent('drafts without durable nonces', () => {
  test('a token is created, its tax changed and a promotion bought, with no nonce account and no SOL of the service', async () => {
    const { service, creator } = await scene();
    const draft = await creator.draft({ transferFeeAdjustable: true });
    expect(Date.parse(draft.expiresAt) - Date.now()).toBeLessThan(150 * SLOT + 1_000);
    const { mintAddress } = await creator.submit(draft);
    const fee = await creator.client.ask<Pick<Draft, 'transaction' | 'transactionId'>>(
      'POST',
      `/tokens/${mintAddress}/transfer-fee/create-unsigned`,
      { json: { transferFeePercent: 1 }, token: creator.token },
    );
    const json = {
      transactionId: fee.transactionId,
      signedTransaction: signedBy(creator.keypair, fee.transaction),
    };
    const changed = await creator.call('POST', `/tokens/${mintAddress}/transfer-fee/submit`, { json });
    expect(changed).toMatchObject({ status: 200, body: { pendingTransferFee: { transferFeePercent: 1 } } });
    expect((await submitPromotion(creator, await promotionDraft(creator, mintAddress))).status).toBe(200);
    expect((await lifeOf(service, draft)).at(-1)).toBe('SubmissionFinalized');
    expect((await service.events()).some(({ type }) => type.startsWith('Nonce'))).toBe(false);
  });

  test('a draft whose blockhash is over is over: it expires, and another one for its wallet becomes the token', async () => {
    const { service, creator } = await scene();
    const { walletId } = await creator.generateWallet();
    const draft = await creator.draft({ walletId });
    await eventually('the draft has expired', async () =>
      (await lifeOf(service, draft)).includes('DraftExpired'),
    );
    const expired = { status: 410, body: { code: 'TRANSACTION_EXPIRED' } };
    expect(await submission(creator, draft)).toMatchObject(expired);
    expect(await transactionStatus(creator, draft)).toMatchObject({ status: 'expired' });
    const next = await creator.draft({ walletId });
    expect((await submission(creator, next)).status).toBe(200);
    expect(await tokensHeldBy(chainUrl, creator)).toBe(1);
  });

  test('what never lands is over once that is final, and the next draft of its wallet becomes the only token', async () => {
    const { proxy, service, creator } = await scene();
    const { walletId } = await creator.generateWallet();
    const draft = await creator.draft({ walletId });
    const release = proxy.treat(swallowSends());
    const answer = submission(creator, draft);
    const signed = await recordedText(service, 'SubmissionAccepted', draft, 'signedTransaction');
    const expired = { status: 410, body: { code: 'TRANSACTION_EXPIRED' } };
    expect(await answer).toMatchObject(expired);
    expect(await submission(creator, draft)).toMatchObject(expired);
    release();
    await sendRaw(chainUrl, signed);
    const next = await creator.draft({ walletId });
    expect((await submission(creator, next)).status).toBe(200);
    expect(await mintExists(chainUrl, draft)).toBe(false);
    expect(await lifeOf(service, draft)).toEqual(['DraftIssued', 'SubmissionAccepted', 'SubmissionFailed']);
    expect(await tokensHeldBy(chainUrl, creator)).toBe(1);
  });

  test('a payment that lands late, under another signature, is found: nobody pays twice', async () => {
    const { proxy, service, creator } = await scene();
    const { mintAddress } = await creator.createToken();
    const draft = await promotionDraft(creator, mintAddress);
    const release = proxy.treat(swallowSends());
    const answer = submitPromotion(creator, draft);
    const event = await eventually('the payment is accepted', () =>
      latest(service, 'SubmissionAccepted', draft),
    );
    // The chain knows it by a signature that the service never saw: only the history of the draft's key tells of it.
    await sendRaw(chainUrl, signedAgain(String(event.signedTransaction), creator.keypair));
    release();
    expect((await answer).status).toBe(200);
    expect(await paymentsTo(chainUrl, TREASURY_ADDRESS, creator.address)).toBe(1);
    expect(await lifeOf(service, draft)).not.toContain('SubmissionFailed');
  });
});

describe.concurrent('a service for durable nonces', () => {
  const ON_NONCES = { DRAFT_LIFETIME_KIND: 'durable-nonce', NONCE_ACCOUNTS_MIN: '0' };

  test('says what is wrong where its chain loses them, and which setting helps', async () => {
    const { url, dataDir, close } = await openTestChain({ nonces: true });
    const service = await openServiceOnChain({ nodeUrl: url, chainUrl: url, environment: ON_NONCES });
    const creator = await openCreator(service);
    const json = await creator.tokenInput();
    await close();
    await openTestChain({ nonces: false, dataDir, port: Number(new URL(url).port) });
    const answer = await creator.call<{ code: string; detail: string }>('POST', '/tokens/create-unsigned', {
      json,
    });
    expect(answer).toMatchObject({ status: 503, body: { code: 'DRAFTS_EXHAUSTED' } });
    expect(answer.body.detail).toContain('DRAFT_LIFETIME_KIND=recent-blockhash');
  });
});
