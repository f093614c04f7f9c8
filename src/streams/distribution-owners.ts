/**
 * One stream per token: owners that its creator excludes from distributions, and program accounts that the creator includes. A
 * list takes effect one whole interval after it was made, so that no owner is excluded without notice.
 */
import { type Static, Type } from '@sinclair/typebox';
import { constructorsOf, defineStream, type EventOf } from '../kernel/runtime/define-stream.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import { Address, Timestamp } from './value-types.ts';

/** Maximum number of owners on both lists together. */
export const MAX_LISTED_OWNERS = 200;

const Lists = {
  /** Excluded owners. Amounts already owed to them are still paid. */
  excludedOwners: Type.Array(Address, { maxItems: MAX_LISTED_OWNERS, uniqueItems: true }),
  /** Program-owned accounts that are paid like wallets. Programs themselves and sysvars are never paid. */
  allowedOwners: Type.Array(Address, { maxItems: MAX_LISTED_OWNERS, uniqueItems: true }),
};

const distributionOwnersEvents = {
  OwnersListed: Type.Object({
    tokenId: Uuid,
    ...Lists,
    listedAt: Timestamp,
    /** Applies to runs that are opened from this time on. */
    validFrom: Timestamp,
  }),
};

export type DistributionOwnersEvent = EventOf<typeof distributionOwnersEvents>;

export const { OwnersListed } = constructorsOf(distributionOwnersEvents);

export type ListedOwners = Static<typeof distributionOwnersEvents.OwnersListed>;

/** The list in effect when the latest one was made, and the latest, which replaces any list that is not in effect yet. */
export type DistributionOwnersState = readonly ListedOwners[];

export const distributionOwners = defineStream({
  category: 'owners',
  events: distributionOwnersEvents,
  internal: { OwnersListed: 'The lists are public and take effect only in a later run.' },
  initial: [] as DistributionOwnersState,
  evolve(state, event): DistributionOwnersState {
    const { listedAt } = event.data;
    return [...state.filter(({ validFrom }) => validFrom <= listedAt).slice(-1), event.data];
  },
});

/** Lists in effect at a time (ISO 8601). */
export function ownersAt(
  state: DistributionOwnersState,
  moment: string,
): Pick<ListedOwners, 'excludedOwners' | 'allowedOwners'> {
  return state.findLast(({ validFrom }) => validFrom <= moment) ?? { excludedOwners: [], allowedOwners: [] };
}
