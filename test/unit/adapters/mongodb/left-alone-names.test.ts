// Which files are listed as left alone: the page after another begins behind its last file.
import { ObjectId } from 'mongodb';
import { expect, test } from 'vitest';
import { leftAloneFilter } from '../../../../src/adapters/mongodb/grid-bucket.ts';

const begun = new Date('2026-05-01T00:00:00Z');
const earlier = new Date('2026-04-01T00:00:00Z');
const later = new Date('2026-06-01T00:00:00Z');
const after = { _id: new ObjectId(), metadata: { keptAt: new Date('2026-03-01T00:00:00Z') } };

test('those that were kept before the moment, and of a moment to come those that were kept until the listing began', () => {
  expect(leftAloneFilter({ since: earlier, begun, after: undefined })).toEqual({
    'metadata.keptAt': { $lt: earlier },
  });
  expect(leftAloneFilter({ since: later, begun, after: undefined })).toEqual({
    'metadata.keptAt': { $lte: begun },
  });
});

test('on the next page those that were kept later, or at the same moment with a later id', () => {
  const { keptAt } = after.metadata;
  expect(leftAloneFilter({ since: earlier, begun, after })).toEqual({
    $or: [
      { 'metadata.keptAt': { $lt: earlier, $gt: keptAt } },
      { 'metadata.keptAt': keptAt, _id: { $gt: after._id } },
    ],
  });
});
