/** One document per token whose creator keeps owners out or lists some in: the list that counts, and those to come. */
import {
  type DistributionOwnersState,
  distributionOwners as stream,
} from '../streams/distribution-owners.ts';
import { defineProjection } from './define-projection.ts';

type DistributionOwnersDocument = {
  readonly tokenId: string;
  /** The oldest first; the reader's clock decides which counts. */
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
