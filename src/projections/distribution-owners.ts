/** Projection with one document per token with excluded or allow-listed owners: the current list and upcoming ones. */
import {
  type DistributionOwnersState,
  distributionOwners as stream,
} from '../streams/distribution-owners.ts';
import { defineProjection } from './levy-projection.ts';

type DistributionOwnersDocument = {
  readonly tokenId: string;
  /** Oldest first; the list in force depends on the reader's clock. */
  readonly lists: DistributionOwnersState;
};

export const distributionOwners = defineProjection<DistributionOwnersDocument>({
  name: 'distribution_owners',
  version: 1,
  on: {
    OwnersListed: {
      key: ({ data }) => data.tokenId,
      apply: (document, event) => ({
        tokenId: event.data.tokenId,
        lists: stream.evolve(document?.lists ?? stream.initial, event),
      }),
    },
  },
});
