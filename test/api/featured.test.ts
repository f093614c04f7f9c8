// The featured list over HTTP: bought on the chain, shown while it is paid for, never by anything but the payment.
import { PublicKey, SystemProgram, Transaction } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Creator, connectionTo, openCreator } from '../support/creator.ts';
import { findingsIn } from '../support/full-audit.ts';
import { OPERATOR_KEY } from '../support/operator.ts';
import {
  buy,
  featuredAt,
  PRICE_PER_DAY,
  PRICED,
  promotionDraft,
  submitPromotion,
  tokenOf,
} from '../support/promotions.ts';
import { openTestService, type TestService } from '../support/service.ts';

const DAY = 86_400_000;
const operator = { headers: { 'x-operator-key': OPERATOR_KEY } };

describe.concurrent('a promotion', () => {
  let service: TestService;
  let creator: Creator;
  let mint: string;

  beforeAll(async () => {
    service = await openTestService(PRICED);
    creator = await openCreator(service);
    mint = await tokenOf(creator);
  });

  // Payments and a log without a fault: an audit must not see one.
  afterAll(async () => {
    expect(await findingsIn(service)).toEqual([]);
  });

  test('pays the treasury, names itself in a memo, and is on the list once the payment is final', async () => {
    const issued = await promotionDraft(creator, mint, 3);
    expect(Object.keys(issued).sort()).toEqual(
      ['cost', 'expiresAt', 'price', 'promotionId', 'transaction', 'transactionId'].sort(),
    );
    expect(issued.price).toBe(String(3 * PRICE_PER_DAY));
    const transaction = Transaction.from(Buffer.from(issued.transaction, 'base64'));
    expect(transaction.signatures.every(({ signature }) => signature === null)).toBe(true);
    const [, , , payment, memo] = transaction.instructions;
    const treasury = payment?.keys[1]?.pubkey ?? PublicKey.default;
    const node = connectionTo(service);
    expect(memo?.data.toString()).toBe(`promotion ${issued.promotionId}`);
    expect((await featuredAt(service)).map(({ id }) => id)).not.toContain(issued.promotionId);

    const { status, body } = await submitPromotion(creator, issued);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      success: true,
      promotion: {
        id: issued.promotionId,
        tokenMint: mint,
        token: { name: 'Sunrise', symbol: 'SUN' },
        daysRemaining: 3,
      },
    });
    expect(Date.parse(body.promotion.endsAt) - Date.parse(body.promotion.startsAt)).toBe(3 * DAY);
    // By this payment, since others are made meanwhile.
    const landed = await node.getTransaction(body.signature, { maxSupportedTransactionVersion: 0 });
    const place =
      landed?.transaction.message.staticAccountKeys.findIndex((key) => key.equals(treasury)) ?? -1;
    const [before = 0, after = 0] = [landed?.meta?.preBalances[place], landed?.meta?.postBalances[place]];
    expect(after - before).toBe(3 * PRICE_PER_DAY);
    const finality = await node.getSignatureStatus(body.signature, { searchTransactionHistory: true });
    expect(finality.value?.confirmationStatus).toBe('finalized');
    expect(await featuredAt(service)).toContainEqual(body.promotion);

    const again = await submitPromotion(creator, issued);
    expect(again.body).toEqual(body);
    const followed = await creator.call('GET', `/transactions/${issued.transactionId}`);
    expect(followed.body).toMatchObject({
      purpose: 'promotion-purchase',
      status: 'confirmed',
      mintAddress: mint,
    });
  });

  test('comes of nothing but the payment that was issued', async () => {
    const own = await openCreator(service);
    const other = await tokenOf(own);
    const issued = await promotionDraft(own, other, 1);
    const cheaper = Transaction.from(Buffer.from(issued.transaction, 'base64'));
    const payment = cheaper.instructions[3];
    if (payment === undefined) throw new Error('the payment is the fourth instruction');
    payment.data.writeBigUInt64LE(1n, 4);
    cheaper.partialSign(own.keypair);
    const signedTransaction = cheaper.serialize({ requireAllSignatures: false }).toString('base64');
    const json = { transactionId: issued.transactionId, signedTransaction };
    expect((await own.call<{ code: string }>('POST', '/featured/submit', { json })).body.code).toBe(
      'TRANSACTION_MISMATCH',
    );

    // The same sum to the same treasury, but by a transaction of one's own.
    const node = connectionTo(service);
    const treasury = payment.keys[1]?.pubkey ?? PublicKey.default;
    const own_ = new Transaction().add(
      SystemProgram.transfer({
        fromPubkey: own.keypair.publicKey,
        toPubkey: treasury,
        lamports: PRICE_PER_DAY,
      }),
    );
    own_.recentBlockhash = (await node.getLatestBlockhash()).blockhash;
    own_.feePayer = own.keypair.publicKey;
    own_.sign(own.keypair);
    await node.sendRawTransaction(own_.serialize());
    // What is bought later is final later: by then the other would long be on the list.
    await buy(creator, mint, 1);
    expect((await featuredAt(service)).map(({ tokenMint }) => tokenMint)).not.toContain(other);
  });

  test('of a token that was hidden after the payment was asked for is not paid for', async () => {
    const own = await openCreator(service);
    const other = await tokenOf(own);
    const issued = await promotionDraft(own, other, 1);
    const node = connectionTo(service);
    const before = await node.getBalance(own.keypair.publicKey);
    await own.client.ask('POST', `/operator/tokens/${other}/hide`, {
      ...operator,
      json: { reason: 'A scam.' },
    });
    expect((await submitPromotion(own, issued)).body.code).toBe('TOKEN_HIDDEN');
    expect(await node.getBalance(own.keypair.publicKey)).toBe(before);
    await own.client.ask('POST', `/operator/tokens/${other}/show`, { ...operator, json: {} });
    expect((await submitPromotion(own, issued)).status).toBe(200);
  });
});

test('places are counted: who comes when all are taken is told when the next is free, also at the submission', async () => {
  const service = await openTestService(PRICED, { constants: { featuredPlaces: 1 } });
  const [first, second] = [await openCreator(service), await openCreator(service)];
  const [one, two] = [await tokenOf(first), await tokenOf(second)];
  const places = async () => {
    const { freePlaces, nextPlaceAt } = await first.client.ask<object & Record<string, unknown>>(
      'GET',
      '/featured',
    );
    return [freePlaces, nextPlaceAt];
  };
  expect(await places()).toEqual([1, null]);
  const early = await promotionDraft(second, two, 1);
  const { promotion } = await buy(first, one, 1);
  expect(await places()).toEqual([0, promotion.endsAt]);
  const refused = await second.client.refusal('FEATURED_LIST_FULL', 'POST', '/featured/create-unsigned', {
    json: { tokenMint: two, days: 1 },
    token: second.token,
  });
  expect(refused.details).toEqual([{ path: ['freeAt'], message: promotion.endsAt }]);
  const node = connectionTo(service);
  const before = await node.getBalance(second.keypair.publicKey);
  expect((await submitPromotion(second, early)).body.code).toBe('FEATURED_LIST_FULL');
  expect(await node.getBalance(second.keypair.publicKey)).toBe(before);

  const path = `/operator/promotions/${promotion.id}/end`;
  await first.client.ask('POST', path, { ...operator, json: { reason: 'Made room.' } });
  expect((await submitPromotion(second, early)).status).toBe(200);
});
