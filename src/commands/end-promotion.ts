/**
 * Takes a promotion off the featured list early; a promotion that is already over stays as it is. Nothing is refunded.
 */

import { Type } from '@sinclair/typebox';
import { commandsFor } from '../kernel/runtime/define-command.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import {
  FEATURED_LIST,
  type FeaturedListState,
  featuredList,
  PromotionEnded,
} from '../streams/featured-list.ts';
import { rejection } from '../streams/rejections.ts';
import { Timestamp } from '../streams/values.ts';
import { Reason, readReason } from './operator-reason.ts';

export const endPromotion = commandsFor<RuntimeServices>()({
  name: 'EndPromotion',
  summary: 'End a promotion',
  description:
    'Takes it off the featured list early, and gives its place free. Nothing is refunded. A promotion that is ' +
    'over stays as it is.',
  route: {
    method: 'POST',
    url: '/operator/promotions/:promotionId/end',
    auth: 'operator',
    limit: 'operator',
  },
  input: {
    params: Type.Object({ promotionId: Uuid }),
    body: Type.Object({ reason: Reason }, { additionalProperties: false }),
  },
  output: Type.Object({ promotionId: Uuid, startsAt: Timestamp, endsAt: Timestamp }),
  rejections: ['PROMOTION_NOT_FOUND'],
  stream: featuredList,
  streamId: () => FEATURED_LIST,
  prepare: async ({ body }, { services }) => ({
    reason: readReason(body.reason),
    endedAt: services.clock.now().toISOString(),
  }),
  decide(state, { params: { promotionId } }, { reason, endedAt }) {
    const { tokenId, endsAt } = requirePeriod(state, promotionId);
    return endsAt <= endedAt ? [] : [PromotionEnded({ promotionId, tokenId, reason, endedAt })];
  },
  respond(state, { params: { promotionId } }) {
    const { startsAt, endsAt } = requirePeriod(state, promotionId);
    return { promotionId, startsAt, endsAt };
  },
});

function requirePeriod({ periods }: FeaturedListState, promotionId: string) {
  const period = periods.find((each) => each.promotionId === promotionId);
  if (period !== undefined) return period;
  throw rejection('PROMOTION_NOT_FOUND', 'There is no running or coming promotion with this id.');
}
