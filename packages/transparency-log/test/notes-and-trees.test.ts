// Records as RFC 8785 writes them, and trees whose proofs hold for every size.
import { describe, expect, test } from 'vitest';
import {
  canonicalJson,
  createGrowingTree,
  entryBundle,
  hashesOf,
  inclusionPath,
  isConsistent,
  leafHash,
  levelsOf,
  parseEntryBundle,
  parseTilePath,
  rootFromPath,
  rootOf,
  TILE_WIDTH,
  tiledTree,
  tilePath,
  tileWidth,
} from '../src/index.ts';

test('canonical JSON is that of RFC 8785', () => {
  const value = JSON.parse(
    '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
  );
  expect(canonicalJson(value)).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  );
});

test('tiles are named as the specification says, and no other names are read', () => {
  expect(tilePath({ level: 0, index: 1_234_067, width: TILE_WIDTH })).toBe('0/x001/x234/067');
  expect(parseTilePath('0/x001/x234/067.p/12')).toEqual({ level: 0, index: 1_234_067, width: 12 });
  expect(parseTilePath('entries/000')).toEqual({ level: 'entries', index: 0, width: TILE_WIDTH });
  for (const path of [
    '64/000',
    '00/000',
    '0/0',
    '0/x000/000',
    '0/000.p/0',
    '0/000.p/256',
    '0/../000',
    '1/000/0',
    '/0/000',
    '0/000/',
    '0/x1/000',
    '0/1000',
    '0/x900/x719/x925/x474/x099/200',
  ])
    expect(parseTilePath(path)).toBeUndefined();
});

test('roots and proofs from tiles are those of the whole tree, at every size', async () => {
  let tree = createGrowingTree();
  const leaves: Uint8Array[] = [];
  const full = new Map<string, Uint8Array>();
  for (let index = 0; index < 600; index++) {
    const entry = new Uint8Array(32).fill(index % 251);
    leaves.push(leafHash(entry));
    for (const { name, bytes } of tree.add(entry)) full.set(name, bytes);
    // A tree that is taken up again goes on as before.
    if (index % 100 === 99) tree = createGrowingTree(tree.end());
  }
  expect(tree.root()).toEqual(rootOf(leaves));
  const { entries, upper } = tree.end();
  const tiled = tiledTree(async (level, index, width) => {
    const known = full.get(`tile/${tilePath({ level, index, width: TILE_WIDTH })}`);
    const last = level === 0 ? entries.map(leafHash) : (upper[level - 1] ?? []);
    return (known ?? new Uint8Array(Buffer.concat(last))).subarray(0, width * 32);
  }, 600);
  for (const size of [1, 2, 3, 255, 256, 257, 511, 512, 513, 600]) {
    const root = rootOf(leaves.slice(0, size));
    expect(await tiled.root(size)).toEqual(root);
    for (const index of [0, Math.floor(size / 2), size - 1]) {
      const path = await tiled.inclusion(index, size);
      expect(path).toEqual(inclusionPath(leaves.slice(0, size), index));
      expect(rootFromPath(leaves[index] ?? new Uint8Array(), index, size, path)).toEqual(root);
    }
    for (const from of [1, 2, 3, 255, 256, 257, 300].filter((each) => each <= size)) {
      const proof = await tiled.consistency(from, size);
      const before = { size: from, root: rootOf(leaves.slice(0, from)) };
      expect(isConsistent(before, { size, root }, proof)).toBe(true);
      const other = { size: from, root: new Uint8Array(32) };
      expect(isConsistent(other, { size, root }, proof)).toBe(false);
    }
  }
});

test('JSON may hold what RFC 8785 does not know: numbers that overflow, and properties without a value', () => {
  const value = JSON.parse('{"b":1e999,"a":-1e999,"list":[1e999,null]}');
  expect(canonicalJson(value)).toBe('{"a":-1e999,"b":1e999,"list":[1e999,null]}');
  expect(canonicalJson({ b: undefined, a: [undefined], é: 1, e: 2 })).toBe('{"a":[null],"e":2,"é":1}');
});

test('a bundle is read only if each entry has the 32 bytes that its length says', () => {
  const entries = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
  const bundle = entryBundle(entries);
  expect(bundle.subarray(0, 3)).toEqual(Uint8Array.of(0, 32, 1));
  expect(parseEntryBundle(bundle)).toEqual(entries);
  expect(parseEntryBundle(new Uint8Array())).toEqual([]);
  expect(parseEntryBundle(bundle.subarray(0, -1))).toBeUndefined();
  expect(parseEntryBundle(bundle.with(0, 1))).toBeUndefined();
  expect(parseEntryBundle(bundle.with(35, 31))).toBeUndefined();
  expect(entryBundle([new Uint8Array(300)]).subarray(0, 2)).toEqual(Uint8Array.of(1, 44));
});

test('a tile is read as the hashes that it was written of', () => {
  const hashes = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte));
  expect(hashesOf(Buffer.concat(hashes)).map((hash) => [...hash])).toEqual(hashes.map((hash) => [...hash]));
  expect(hashesOf(new Uint8Array())).toEqual([]);
});

test('a log has the tiles that its size fills, and a partial one at the end of each level', () => {
  const widths = (level: number, size: number) => [0, 1, 2].map((index) => tileWidth(level, index, size));
  expect(widths(0, 0)).toEqual([0, 0, 0]);
  expect(widths(0, 257)).toEqual([256, 1, 0]);
  expect(widths(1, 255)).toEqual([0, 0, 0]);
  expect(widths(1, 600)).toEqual([2, 0, 0]);
  expect([0, 1, 255, 256, 65_535, 65_536].map(levelsOf)).toEqual([0, 1, 1, 2, 2, 3]);
});

describe('a proof from tiles', () => {
  const hash = new Uint8Array(32).fill(1);
  const tree = (tile: Uint8Array, available = 3) => tiledTree(async () => tile, available);

  test('is asked only of trees and entries that the log has', async () => {
    const three = tree(new Uint8Array(96));
    for (const size of [-1, 4, 1.5]) {
      await expect(three.root(size)).rejects.toThrow(
        `a tree of ${size} entries is out of range (3 entries in the log)`,
      );
      await expect(three.inclusion(0, size)).rejects.toThrow('3 entries in the log');
      await expect(three.consistency(0, size)).rejects.toThrow('3 entries in the log');
    }
    for (const index of [-1, 2, 0.5])
      await expect(three.inclusion(index, 2)).rejects.toThrow(
        `entry index ${index} is out of range (2 entries)`,
      );
    for (const from of [-1, 3, 0.5])
      await expect(three.consistency(from, 2)).rejects.toThrow(`does not extend a tree of ${from}`);
    expect(await three.root(0)).toEqual(rootOf([]));
    expect(await three.consistency(0, 2)).toEqual([]);
    expect(await three.consistency(2, 2)).toEqual([]);
  });

  test('is not made of a tile of another width', async () => {
    await expect(tree(hash).root(2)).rejects.toThrow('tile 0 of level 0 has an unexpected number of hashes');
    await expect(tree(new Uint8Array(128)).root(2)).rejects.toThrow(
      'tile 0 of level 0 has an unexpected number of hashes',
    );
    expect(await tree(hash, 1).root(1)).toEqual(hash);
  });
});
