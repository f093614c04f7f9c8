/** Submits the signed payment of a promotion, and responds with the promotion once the payment is final. */
import { Type } from '@sinclair/typebox';
import { defineSubmission } from '../drafts/define-submission.ts';
import { promotionPurchase } from '../drafts/purposes/promotion-purchase-behaviour.ts';
import { MILLISECONDS_PER_DAY } from '../streams/featured-places.ts';
import { Signature } from '../streams/value-types.ts';
import { FeaturedPromotion } from '../views/featured-view.ts';

export const submitPromotion = defineSubmission({
  name: 'SubmitPromotion',
  summary: 'Submit the signed payment of a promotion',
  description:
    'Sends the signed payment and responds once it is final. The promotion starts then, or when the running ' +
    'promotion of the same token ends. Repeating the call returns the same result.',
  route: { url: '/featured/submit', limit: 'submit' },
  purpose: promotionPurchase,
  rejections: ['FEATURED_LIST_FULL', 'TOKEN_HIDDEN', 'TOKEN_NOT_FOUND'],
  output: Type.Object({
    success: Type.Boolean(),
    signature: Signature,
    promotion: FeaturedPromotion,
  }),
  answer({ subject: { promotionId, mintAddress, card }, landed }, { data: { paidAt, startsAt, endsAt } }) {
    // The period at the time when the payment was final, so that the response never changes.
    const days = (Date.parse(endsAt) - Date.parse(paidAt)) / MILLISECONDS_PER_DAY;
    return {
      success: true,
      signature: landed.signature,
      promotion: {
        id: promotionId,
        tokenMint: mintAddress,
        token: card,
        startsAt,
        endsAt,
        daysRemaining: Math.ceil(days),
      },
    };
  },
});
