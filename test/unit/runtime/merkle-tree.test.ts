import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createTreeBuilder,
  inclusionPath,
  leafHash,
  pathThroughGroups,
  RECORDS_PER_GROUP,
  rootFromPath,
  rootOf,
} from '../../../src/runtime/merkle-tree.ts';

// The eight inputs and the roots over the first of them that Certificate Transparency's own tests use.
const INPUTS = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
].map((text) => Buffer.from(text, 'hex'));
const ROOTS = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

const hex = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString('hex');
const recordsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => createHash('sha256').update(String(index)).digest());

describe('the tree over records', () => {
  test("has the roots of Certificate Transparency's own tests", () => {
    const roots = INPUTS.map((_, index) => hex(rootOf(INPUTS.slice(0, index + 1).map(leafHash))));
    expect(roots).toEqual(ROOTS);
    expect(hex(rootOf([]))).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  });

  test('has the path of its third of seven leaves that RFC 6962 draws', () => {
    const hashes = INPUTS.slice(0, 7).map(leafHash);
    const [a, b, c, d, e, f, g] = hashes.map((hash) => [hash]) as [Uint8Array[], ...Uint8Array[][]];
    const sides = [d, [...a, ...(b ?? [])], [...(e ?? []), ...(f ?? []), ...(g ?? [])]];
    expect(c).toBeDefined();
    expect(inclusionPath(hashes, 2).map(hex)).toEqual(sides.map((side) => hex(rootOf(side ?? []))));
  });

  test('leads from every leaf of every small tree to its root, and from no other leaf', () => {
    for (let size = 1; size <= 40; size++) {
      const hashes = recordsOf(size).map(leafHash);
      const root = hex(rootOf(hashes));
      for (const [index, hash] of hashes.entries()) {
        const path = inclusionPath(hashes, index);
        expect(hex(rootFromPath(hash, index, size, path))).toBe(root);
        if (size === 1) continue;
        expect(hex(rootFromPath(hash, (index + 1) % size, size, path))).not.toBe(root);
        expect(hex(rootFromPath(leafHash(Buffer.of(1)), index, size, path))).not.toBe(root);
        expect(rootFromPath(hash, index, size, path.slice(1))).toBeUndefined();
        expect(rootFromPath(hash, index, size, [...path, hash])).toBeUndefined();
      }
    }
  });

  test('is the same whether all records are at hand or come one by one, and its paths are too', () => {
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

  test('has no path outside', () => {
    expect(() => inclusionPath([], 0)).toThrow('no leaf 0 among 0');
    expect(rootFromPath(Buffer.alloc(32), 1, 1, [])).toBeUndefined();
    expect(rootFromPath(Buffer.alloc(32), -1, 1, [])).toBeUndefined();
  });
});
