// The tree of the service's log fills tiles, bundles and pages of the index, and goes on from its end as if it had never stopped.
import { leafHash, parseEntryBundle, rootOf } from 'levy-transparency-log';
import { expect, test } from 'vitest';
import { createLogTree, type LogTree } from '../../../../src/proof/transparency/log-tree.ts';
import { indexedEntry, loggedEvents } from '../../../support/recorded-log.ts';

const entries = loggedEvents(520).map(indexedEntry);
const rootOfFirst = (count: number) => rootOf(entries.slice(0, count).map(({ entry }) => leafHash(entry)));
const shown = (files: ReturnType<LogTree['add']>) =>
  files.map(({ name, bytes }) => `${name} ${Buffer.from(bytes).toString('hex')}`);
const lineOf = (index: number) => {
  const { id, stream, revision, position } = entries[index] ?? entries[0] ?? expect.unreachable();
  return `${JSON.stringify({ index, id, stream, revision, position })}\n`;
};

test('each 256th entry fills a bundle, its page of the index and its tile, and no other entry fills any', () => {
  const tree = createLogTree();
  const filled = entries.map((entry) => tree.add(entry));
  expect(filled.flatMap((files, index) => (files.length > 0 ? [index] : []))).toEqual([255, 511]);
  expect(filled[255]?.map(({ name }) => name)).toEqual(['tile/entries/000', 'index/000', 'tile/0/000']);
  expect(filled[511]?.map(({ name }) => name)).toEqual(['tile/entries/001', 'index/001', 'tile/0/001']);
  const [bundle, page] = filled[511] ?? [];
  const indexes = Array.from({ length: 256 }, (_, at) => 256 + at);
  expect(Buffer.from(page?.bytes ?? []).toString()).toBe(indexes.map(lineOf).join(''));
  const bundled = parseEntryBundle(bundle?.bytes ?? new Uint8Array()) ?? [];
  expect(Buffer.concat(bundled)).toEqual(Buffer.concat(entries.slice(256, 512).map(({ entry }) => entry)));
  expect(tree.root()).toEqual(rootOfFirst(520));
  expect(tree.end()).toMatchObject({ size: 520, entries: entries.slice(512) });
});

test.each([255, 256, 300])('it goes on from its end with %i entries', (count) => {
  const whole = createLogTree();
  const before = createLogTree();
  for (const entry of entries.slice(0, count)) before.add(entry);
  const after = createLogTree(before.end());
  const filled = entries.map((entry) => shown(whole.add(entry))).slice(count);
  expect(entries.slice(count).map((entry) => shown(after.add(entry)))).toEqual(filled);
  expect([after.size(), after.root()]).toEqual([520, whole.root()]);
  expect(after.end()).toEqual(whole.end());
});

test('an entry behind the last full bundle is relocated, and no other', () => {
  const tree = createLogTree();
  for (const entry of entries.slice(0, 259)) tree.add(entry);
  const root = tree.root();
  tree.relocate(257, 'elsewhere');
  tree.relocate(5, 'elsewhere');
  tree.relocate(259, 'elsewhere');
  expect(tree.end().entries.map(({ id, position }) => [id, position])).toEqual([
    ['event-256', '000256'],
    ['event-257', 'elsewhere'],
    ['event-258', '000258'],
  ]);
  expect(tree.root()).toEqual(root);
});
