// The featured list when two pay at once, and when the service stops between a payment and its place.
import { expect, test } from 'vitest';
import { connectionTo, openCreator } from '../support/creator.ts';
import { eventually } from '../support/eventually.ts';
import {
  buy,
  featuredAt,
  PRICED,
  type PromotionDraft,
  promotionDraft,
  submitPromotion,
  tokenOf,
} from '../support/promotions.ts';
import { openTestService } from '../support/service.ts';

test('of two payments at the same moment for one place, one is taken and the other costs nothing', async () => {
  const service = await openTestService(PRICED, { constants: { featuredPlaces: 1 } });
  const creators = [await openCreator(service), await openCreator(service)];
  const drafts = await Promise.all(
    creators.map(async (creator) => promotionDraft(creator, await tokenOf(creator))),
  );
  const node = connectionTo(service);
  const before = await Promise.all(creators.map(({ keypair }) => node.getBalance(keypair.publicKey)));
  const answers = await Promise.all(
    creators.map((creator, index) => submitPromotion(creator, drafts[index] as PromotionDraft)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const loser = answers.findIndex(({ status }) => status === 409);
  const after = await Promise.all(creators.map(({ keypair }) => node.getBalance(keypair.publicKey)));
  expect(after[loser]).toBe(before[loser]);
  expect(await featuredAt(service)).toHaveLength(1);
});

test('the list is the same after a restart', async () => {
  const service = await openTestService(PRICED);
  const creator = await openCreator(service);
  const mint = await tokenOf(creator);
  await buy(creator, mint, 2);
  const before = await featuredAt(service);
  await service.close();
  const again = await openTestService(PRICED, { folder: service.folder });
  expect(await featuredAt(again)).toEqual(before);
});

test('a payment that was accepted just before a stop is carried on after the start', async () => {
  const service = await openTestService({ ...PRICED, SUBMIT_WAIT: '0s' });
  const creator = await openCreator(service);
  const mint = await tokenOf(creator).catch(() => undefined);
  const own = await eventually('the token is there', async () => {
    const { body } = await creator.call<{ tokens: { mintAddress: string }[] }>('GET', '/tokens/me');
    return body.tokens[0]?.mintAddress ?? mint;
  });
  const issued = await promotionDraft(creator, own, 1);
  expect((await submitPromotion(creator, issued)).status).toBe(504);
  await service.close();
  const again = await openTestService(PRICED, { folder: service.folder });
  const listed = await eventually('the promotion is on the list', async () => {
    const found = (await featuredAt(again)).find(({ id }) => id === issued.promotionId);
    return found;
  });
  expect(listed.tokenMint).toBe(own);
});
