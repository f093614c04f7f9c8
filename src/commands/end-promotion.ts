/** Removes a promotion from the featured list early; a promotion that is already over is not changed. Nothing is refunded. */

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
import { Timestamp } from '../streams/value-types.ts';
import { Reason, readReason } from './operator-reason.ts';

export const endPromotion = commandsFor<RuntimeServices>()({
  name: 'EndPromotion',
  summary: 'End a promotion',
  description:
    'Removes the promotion from the featured list early, and frees its place. Nothing is refunded. An ended promotion ' +
    'is not changed.',
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
  prepare: async ({ params, body }, { services }) => ({
    reason: readReason(body.reason),
    endedAt: services.clock.now().toISOString(),
    wasStarted: (await recordedOf(params.promotionId, services)).started !== undefined,
  }),
  decide(state, { params: { promotionId } }, { reason, endedAt, wasStarted }) {
    const period = periodIn(state, promotionId);
    if (period === undefined) {
      if (wasStarted) return [];
      throw promotionNotFoundRejection();
    }
    const { tokenId, endsAt } = period;
    return endsAt <= endedAt ? [] : [PromotionEnded({ promotionId, tokenId, reason, endedAt })];
  },
  async respond(state, { params: { promotionId } }, { services }) {
    const period = periodIn(state, promotionId) ?? (await pastPeriod(promotionId, services));
    return { promotionId, startsAt: period.startsAt, endsAt: period.endsAt };
  },
});

function periodIn({ periods }: FeaturedListState, promotionId: string) {
  return periods.find((each) => each.promotionId === promotionId);
}

/** Reads a finished promotion from its events: the state drops it when the next promotion is paid. */
async function pastPeriod(promotionId: string, services: RuntimeServices) {
  const { started, ended } = await recordedOf(promotionId, services);
  if (started === undefined) throw promotionNotFoundRejection();
  const { startsAt, endsAt } = started.data;
  return { startsAt, endsAt: ended?.data.endedAt ?? endsAt };
}

async function recordedOf(promotionId: string, { executor }: RuntimeServices) {
  const { events } = await executor.load(featuredList, FEATURED_LIST, { trust: 'cached' });
  return {
    started: events
      .filter((event) => event.type === 'PromotionStarted')
      .find(({ data }) => data.promotion.promotionId === promotionId),
    ended: events
      .filter((event) => event.type === 'PromotionEnded')
      .findLast(({ data }) => data.promotionId === promotionId),
  };
}

function promotionNotFoundRejection() {
  return rejection('PROMOTION_NOT_FOUND', 'Promotion not found.');
}
