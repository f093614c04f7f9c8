/** Rules of the featured list: availability of places, and periods of promotions. Pure. */
import type { FeaturedListState } from './featured-list.ts';
import { rejection } from './rejections.ts';

export const MILLISECONDS_PER_DAY = 86_400_000;

export interface PlaceRequest {
  readonly tokenId: string;
  readonly now: string;
  /** Capacity of the list. */
  readonly places: number;
  /** Drafts whose bookings no longer count. */
  readonly lost: readonly string[];
}

/**
 * Time at which the next place becomes free for the token; undefined if a place is free now. A token that has or has booked a
 * place needs no other: its new promotion begins after the earlier ones.
 */
export function freePlace(
  {
    bookings,
    periods,
  }: Pick<FeaturedListState, 'bookings'> & {
    readonly periods: readonly Pick<FeaturedListState['periods'][number], 'tokenId' | 'endsAt'>[];
  },
  request: PlaceRequest,
): string | undefined {
  const { tokenId, now, places, lost } = request;
  /** End of the reservation by token; a booked place may become free at any time. */
  const taken = new Map<string, string>();
  for (const booking of bookings) if (!lost.includes(booking.transactionId)) taken.set(booking.tokenId, now);
  for (const period of periods) {
    if (period.endsAt <= now) continue;
    const until = taken.get(period.tokenId);
    if (until === undefined || until < period.endsAt) taken.set(period.tokenId, period.endsAt);
  }
  if (taken.has(tokenId) || taken.size < places) return undefined;
  return [...taken.values()].toSorted()[taken.size - places];
}

/** Throws `FEATURED_LIST_FULL`, with the time at which a place becomes free, if known. */
export function requireFreePlace(state: FeaturedListState, request: PlaceRequest): void {
  const freeAt = freePlace(state, request);
  if (freeAt === undefined) return;
  if (freeAt <= request.now) {
    throw rejection(
      'FEATURED_LIST_FULL',
      'The featured list is full; one place is reserved by a pending payment. Try again when it is settled.',
      { retryAfterSeconds: 60 },
    );
  }
  throw rejection('FEATURED_LIST_FULL', `The featured list is full; the next place is free at ${freeAt}.`, {
    details: [{ path: ['freeAt'], message: freeAt }],
  });
}

/** Period of a promotion that is paid now; it begins after the token's earlier promotions. */
export function promotionPeriod(
  { periods }: FeaturedListState,
  purchase: { readonly tokenId: string; readonly now: string; readonly days: number },
): { readonly startsAt: string; readonly endsAt: string } {
  const startsAt = periods
    .filter((period) => period.tokenId === purchase.tokenId)
    .reduce((latest, { endsAt }) => (endsAt > latest ? endsAt : latest), purchase.now);
  const endsAt = new Date(Date.parse(startsAt) + purchase.days * MILLISECONDS_PER_DAY).toISOString();
  return { startsAt, endsAt };
}

/** Rejection of a promotion for a token that an operator has hidden. */
export function tokenHiddenRejection() {
  return rejection('TOKEN_HIDDEN', 'An operator has hidden this token; a promotion would not be seen.');
}
