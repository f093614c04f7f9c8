import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  inclusionPath,
  isConsistent,
  leafHash,
  nodeHash,
  rootFromPath,
  rootOf,
  tiledTree,
} from '../src/index.ts';
import { isPowerOfTwo, largestPowerOfTwoBelow } from '../src/merkle-tree.ts';

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

  test('has no path outside', () => {
    expect(() => inclusionPath([], 0)).toThrow('leaf index 0 is out of range (0 leaves)');
    expect(rootFromPath(Buffer.alloc(32), 1, 1, [])).toBeUndefined();
    expect(rootFromPath(Buffer.alloc(32), -1, 1, [])).toBeUndefined();
  });
});

describe('that one tree extends another', () => {
  const hashes = recordsOf(20).map(leafHash);
  const treeOf = (size: number) => ({ size, root: rootOf(hashes.slice(0, size)) });
  const [two, three] = [treeOf(2), treeOf(3)];
  const third = hashes[2] as Uint8Array;

  test('is shown by no hash where both are one tree, or the first is empty', () => {
    expect(isConsistent(three, three, [])).toBe(true);
    expect(isConsistent(three, three, [third])).toBe(false);
    expect(isConsistent({ ...three, root: two.root }, three, [])).toBe(false);
    expect(isConsistent(treeOf(0), three, [])).toBe(true);
    expect(isConsistent(treeOf(0), three, [third])).toBe(false);
  });

  test('is shown by the hashes that lead to both roots, and by no others', () => {
    expect(isConsistent(two, three, [third])).toBe(true);
    expect(isConsistent(three, two, [third])).toBe(false);
    expect(isConsistent(two, three, [])).toBe(false);
    expect(isConsistent(two, three, [third, third])).toBe(false);
    expect(isConsistent(two, { size: 3, root: nodeHash(third, two.root) }, [third])).toBe(false);
    expect(isConsistent(three, treeOf(5), [])).toBe(false);
  });
});

test('that a small tree extends another is shown for every two of them by one proof, and by no other', async () => {
  const hashes = recordsOf(20).map(leafHash);
  const treeOf = (size: number) => ({ size, root: rootOf(hashes.slice(0, size)) });
  const tiles = tiledTree(async (_level, _index, width) => Buffer.concat(hashes.slice(0, width)), 20);
  for (let size = 2; size <= 20; size++)
    for (let from = 1; from < size; from++) {
      const [first, second] = [treeOf(from), treeOf(size)];
      const proof = await tiles.consistency(from, size);
      expect(isConsistent(first, second, proof)).toBe(true);
      expect(isConsistent(second, first, proof)).toBe(false);
      expect(isConsistent({ ...first, root: second.root }, second, proof)).toBe(false);
      expect(isConsistent(first, { ...second, root: first.root }, proof)).toBe(false);
      expect(isConsistent(first, second, proof.slice(0, -1))).toBe(false);
      expect(isConsistent(first, second, [...proof, second.root])).toBe(false);
    }
});

test('no path leads through a tree whose size is no number of leaves', () => {
  const leaf = Buffer.alloc(32);
  for (const size of [0, -1, 1.5, 2 ** 53]) expect(rootFromPath(leaf, 0, size, [])).toBeUndefined();
  expect(rootFromPath(leaf, 0.5, 1, [])).toBeUndefined();
  for (const index of [-1, 0.5, 1]) expect(() => inclusionPath([leaf], index)).toThrow('(1 leaves)');
});

describe('powers of two', () => {
  test.each([
    1,
    2,
    3,
    4,
    7,
    8,
    9,
    2 ** 49 - 1,
    2 ** 49,
    2 ** 49 + 1,
    2 ** 53 - 1,
  ])('are exact at %d', (count) => {
    let power = 1;
    while (power * 2 < count) power *= 2;
    expect(isPowerOfTwo(count)).toBe(power * 2 === count || count === 1);
    if (count > 1) expect(largestPowerOfTwoBelow(count)).toBe(power);
  });
});
