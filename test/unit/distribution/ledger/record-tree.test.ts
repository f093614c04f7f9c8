import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { inclusionPath, leafHash, rootOf } from 'levy-transparency-log';
import { expect, test } from 'vitest';
import {
  createTreeBuilder,
  pathThroughGroups,
  RECORDS_PER_GROUP,
} from '../../../../src/distribution/ledger/allotment-file.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const recordsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => createHash('sha256').update(String(index)).digest());

test('the tree over records is the same whether all records are at hand or come one by one, and its paths are too', () => {
  const sizes = fc.oneof(
    fc.integer({ min: 1, max: 3 * RECORDS_PER_GROUP + 3 }),
    fc.integer({ min: 0, max: 3 }).map((groups) => groups * RECORDS_PER_GROUP + 1),
  );
  fc.assert(
    fc.property(sizes, fc.nat(), (size, some) => {
      const records = recordsOf(size);
      const builder = createTreeBuilder();
      for (const record of records) builder.add(record);
      const hashes = records.map(leafHash);
      expect(hex(builder.root())).toBe(hex(rootOf(hashes)));
      const index = some % size;
      const start = index - (index % RECORDS_PER_GROUP);
      const path = pathThroughGroups(
        index,
        records.slice(start, start + RECORDS_PER_GROUP),
        builder.groupHashes(),
      );
      expect(path.map(hex)).toEqual(inclusionPath(hashes, index).map(hex));
    }),
    { numRuns: 15 },
  );
});
