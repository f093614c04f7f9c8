/**
 * One stream per token: the owners whom its creator keeps out of the distribution, and the programs' accounts that the
 * creator lists in. A list counts from one whole interval after it was made, so that nobody is kept out by surprise.
 */
import { type Static, Type } from '@sinclair/typebox';
import { constructorsOf, defineStream, type EventOf } from '../kernel/runtime/define-stream.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import { Address, Timestamp } from './values.ts';

/** Owners on both lists together. */
export const MOST_LISTED_OWNERS = 200;

const Lists = {
  /** Excluded owners. Amounts already owed to them are still paid. */
  keptOut: Type.Array(Address, { maxItems: MOST_LISTED_OWNERS, uniqueItems: true }),
  /** Accounts of programs that are paid like any other. Programs themselves and sysvars never are. */
  listedIn: Type.Array(Address, { maxItems: MOST_LISTED_OWNERS, uniqueItems: true }),
};

const distributionOwnersEvents = {
  OwnersListed: Type.Object({
    tokenId: Uuid,
    ...Lists,
    listedAt: Timestamp,
    /** Applies to runs that are opened from then on. */
    validFrom: Timestamp,
  }),
};

export type DistributionOwnersEvent = EventOf<typeof distributionOwnersEvents>;

export const { OwnersListed } = constructorsOf(distributionOwnersEvents);

export type ListedOwners = Static<typeof distributionOwnersEvents.OwnersListed>;

/** The list that counted when the latest one was made, and the latest, which took the place of any that did not count yet. */
export type DistributionOwnersState = readonly ListedOwners[];

export const distributionOwners = defineStream({
  category: 'owners',
  events: distributionOwnersEvents,
  internal: { OwnersListed: 'Public to read, but no news: a run goes by it only later.' },
  initial: [] as DistributionOwnersState,
  evolve(state, event): DistributionOwnersState {
    const { listedAt } = event.data;
    return [...state.filter(({ validFrom }) => validFrom <= listedAt).slice(-1), event.data];
  },
});

/** The lists that count at a moment (ISO 8601). */
export function ownersAt(
  state: DistributionOwnersState,
  moment: string,
): Pick<ListedOwners, 'keptOut' | 'listedIn'> {
  return state.findLast(({ validFrom }) => validFrom <= moment) ?? { keptOut: [], listedIn: [] };
}
