// The read model of listed owners: the list that counts, and the one to come.
import { describe, test } from 'vitest';
import { distributionOwners } from '../../../src/projections/distribution-owners.ts';
import { OwnersListed } from '../../../src/streams/distribution-owners.ts';
import { ownersListed } from '../../support/distribution-examples.ts';
import { ids } from '../../support/domain-examples.ts';
import { projectionSpec } from '../../support/projection-spec.ts';
import { happening } from '../../support/recorded-events.ts';

const { tokenId } = ids;
const next = OwnersListed({
  tokenId,
  excludedOwners: [],
  allowedOwners: [],
  listedAt: '2026-05-04T13:00:00.000Z',
  validFrom: '2026-05-04T14:00:00.000Z',
});

describe('the listed owners', () => {
  const spec = projectionSpec(distributionOwners);
  const [first, second] = [happening(tokenId, ownersListed), happening(tokenId, next)];

  test('are those of the latest list, and of the one that counts until then', () => {
    spec.given(first).gives({ [tokenId]: { tokenId, lists: [ownersListed.data] } });
    spec.given(first, second).gives({ [tokenId]: { tokenId, lists: [ownersListed.data, next.data] } });
  });
});
