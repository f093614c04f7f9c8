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

interface EndingPeriod {
  readonly tokenId: string;
  readonly endsAt: string;
}

/** Tokens that have a place, with the time at which each place becomes free. A place that is only booked may become free at any time. */
export function takenPlaces(
  bookings: readonly { readonly tokenId: string }[],
  periods: readonly EndingPeriod[],
  now: string,
): ReadonlyMap<string, string> {
  const taken = new Map(bookings.map(({ tokenId }) => [tokenId, now]));
  for (const { tokenId, endsAt } of periods) {
    if (endsAt > (taken.get(tokenId) ?? now)) taken.set(tokenId, endsAt);
  }
  return taken;
}

/** Time at which the next place becomes free; undefined if a place is free now. */
export function nextFreePlace(taken: ReadonlyMap<string, string>, places: number): string | undefined {
  return taken.size < places ? undefined : [...taken.values()].toSorted()[taken.size - places];
}

/**
 * Time at which the next place becomes free for the token; undefined if it can be promoted now. A token that has a place, or has
 * booked one, needs no other, because its new promotion begins after the earlier ones.
 */
export function freePlace(
  { bookings, periods }: FeaturedListState,
  { tokenId, now, places, lost }: PlaceRequest,
): string | undefined {
  const kept = bookings.filter(({ transactionId }) => !lost.includes(transactionId));
  const taken = takenPlaces(kept, periods, now);
  return taken.has(tokenId) ? undefined : nextFreePlace(taken, places);
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
