// The featured list when two pay at once, and when the service stops between a payment and its place.
import { expect, test } from 'vitest';
import { connectionTo, openCreator } from '../support/creator.ts';
import {
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
