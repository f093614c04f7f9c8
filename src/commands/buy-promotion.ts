/** Issues a draft that pays for days on the featured list. Checks that a place is free. Only the submission books it. */
import { Type } from '@sinclair/typebox';
import { U64_MAX } from 'levy-solana-wire';
import { promotionInstructions } from '../chain/promotion-instructions.ts';
import { defineDraft } from '../drafts/define-draft.ts';
import type { PlanContext } from '../drafts/draft-plan.ts';
import { promotionPurchase } from '../drafts/purposes/promotion-purchase-behaviour.ts';
import { memoSigners } from '../drafts/purposes/purpose-behaviour.ts';
import { endedDrafts } from '../drafts/require-draft.ts';
import { deriveId, Uuid } from '../kernel/runtime/ids.ts';
import { FEATURED_LIST, featuredList } from '../streams/featured-list.ts';
import { requireFreePlace, tokenHiddenRejection } from '../streams/featured-places.ts';
import type { PromotionPurchase } from '../streams/purposes/promotion-purchase.ts';
import { rejection } from '../streams/rejections.ts';
import { Address, Amount, described } from '../streams/value-types.ts';
import { MAX_PROMOTION_DAYS } from '../views/input-limits.ts';
import { UnsignedDraft, unsignedDraft } from '../views/unsigned-draft.ts';
import { type OwnToken, ownToken } from './own-token.ts';

export const buyPromotion = defineDraft({
  name: 'BuyPromotion',
  summary: 'Get the unsigned transaction that pays for a place on the featured list',
  description:
    "Available to the token's creator. The transaction pays the operator of the service, with a memo that names the " +
    'promotion. Sign it and send it to `POST /featured/submit`. Refused while all places are taken; the refusal names the ' +
    'time at which a place becomes free.',
  route: { url: '/featured/create-unsigned', limit: 'featured' },
  input: {
    body: Type.Object(
      {
        tokenMint: Type.String({
          maxLength: 100,
          description: 'Mint address of a token of the caller.',
          examples: Address.examples,
        }),
        days: Type.Integer({ minimum: 1, maximum: MAX_PROMOTION_DAYS, examples: [7] }),
      },
      { additionalProperties: false },
    ),
  },
  output: Type.Object({
    ...UnsignedDraft.properties,
    promotionId: Uuid,
    price: described(Amount, 'Lamports, without fees.'),
  }),
  rejections: [
    'INVALID_ADDRESS',
    'TOKEN_NOT_FOUND',
    'NOT_TOKEN_CREATOR',
    'TOKEN_HIDDEN',
    'FEATURED_LIST_FULL',
    'PROMOTIONS_UNAVAILABLE',
  ],
  sentBy: 'service',
  purpose: promotionPurchase,

  async plan({ body: { tokenMint, days } }, context) {
    const { services, transactionId, creator, lifetime } = context;
    const { treasury } = services.policy;
    if (treasury === undefined) {
      throw rejection(
        'PROMOTIONS_UNAVAILABLE',
        'Promotions are unavailable because the operator has not configured a treasury. Do not retry.',
      );
    }
    const promoted = await ownToken(services, { field: 'tokenMint', address: tokenMint }, creator);
    if (promoted.hidden !== undefined) throw tokenHiddenRejection();
    const subject = subjectOf(context, promoted, { days, treasury });
    await requirePlace(context, subject);
    const { price, promotionId } = subject;
    const memoKeys = memoSigners(services.keyring, transactionId, lifetime).map(({ address }) => address);
    return {
      subject,
      instructions: promotionInstructions({
        creator,
        memoSigners: memoKeys,
        treasury,
        price: BigInt(price),
        promotionId,
      }),
      payments: BigInt(price),
      writable: [creator, treasury],
    };
  },

  answer(issued) {
    const { promotionId, price } = issued.subject;
    return { ...unsignedDraft(issued), promotionId, price };
  },
});

function subjectOf(
  { services, transactionId }: PlanContext,
  { created: { token } }: OwnToken,
  { days, treasury }: { readonly days: number; readonly treasury: string },
): PromotionPurchase {
  const price = services.policy.featuredPricePerDay * BigInt(days);
  if (price > U64_MAX)
    throw rejection(
      'PROMOTIONS_UNAVAILABLE',
      'The price of so many days is beyond the maximum amount; choose fewer days.',
    );
  const { tokenId, mintAddress, name, symbol, imageUri, description } = token;
  return {
    kind: 'promotion-purchase',
    tokenId,
    mintAddress,
    promotionId: deriveId('promotion', transactionId),
    days,
    price: price.toString(),
    treasury,
    card: { name, symbol, imageUri, description },
  };
}

async function requirePlace({ services }: PlanContext, { tokenId }: PromotionPurchase): Promise<void> {
  const { executor, clock, policy } = services;
  const { state } = await executor.load(featuredList, FEATURED_LIST);
  requireFreePlace(state, {
    tokenId,
    now: clock.now().toISOString(),
    places: policy.featuredPlaces,
    lost: await endedDrafts(
      executor,
      state.bookings.map(({ transactionId }) => transactionId),
    ),
  });
}
