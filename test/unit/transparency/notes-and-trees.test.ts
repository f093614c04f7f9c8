// The forms of others: notes as the specification signs them, trees whose proofs hold for every size.
import { expect, test } from 'vitest';
import { inclusionPath, leafHash, rootFromPath, rootOf } from '../../../src/runtime/merkle-tree.ts';
import { canonicalJson } from '../../../src/transparency/canonical-record.ts';
import { createLogTree } from '../../../src/transparency/log-tree.ts';
import {
  isSignedBy,
  parseNote,
  parseVerifierKey,
  verifierKey,
} from '../../../src/transparency/signed-note.ts';
import { isConsistent, tiledTree } from '../../../src/transparency/tiled-tree.ts';
import { parseTilePath, TILE_WIDTH, tilePath } from '../../../src/transparency/tiles.ts';

const KEY = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k';
const NOTE =
  'This is an example message.\n\n— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n';

test('the note of the specification is signed by its key, and no other text is', () => {
  const key = parseVerifierKey(KEY);
  expect(verifierKey(key)).toBe(KEY);
  expect(isSignedBy(parseNote(NOTE), key)).toBe(true);
  expect(isSignedBy(parseNote(NOTE.replace('message', 'massage')), key)).toBe(false);
});

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
  for (const path of ['64/000', '00/000', '0/0', '0/x000/000', '0/000.p/0', '0/000.p/256', '0/../000'])
    expect(parseTilePath(path)).toBeUndefined();
});

test('roots and proofs from tiles are those of the whole tree, at every size', async () => {
  const tree = createLogTree();
  const leaves: Uint8Array[] = [];
  const full = new Map<string, Uint8Array>();
  const line = { id: '', stream: '', revision: 0, position: '' };
  for (let index = 0; index < 600; index++) {
    const entry = Buffer.alloc(32, index % 251);
    leaves.push(leafHash(entry));
    for (const { name, bytes } of tree.add({ ...line, entry })) full.set(name, bytes);
  }
  expect(tree.root()).toEqual(rootOf(leaves));
  const { entries, upper } = tree.end();
  const tiled = tiledTree(async (level, index, width) => {
    const known = full.get(`tile/${tilePath({ level, index, width: TILE_WIDTH })}`);
    const last = level === 0 ? entries.map(({ entry }) => leafHash(entry)) : (upper[level - 1] ?? []);
    return (known ?? Buffer.concat(last)).subarray(0, width * 32);
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
      const other = { size: from, root: Buffer.alloc(32) };
      expect(isConsistent(other, { size, root }, proof)).toBe(false);
    }
  }
});
