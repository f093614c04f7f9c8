// The files of a transparency log: what is written is read again, what is damaged or missing is refused, and each tile is found.
import { entryBundle, leafHash, TILE_WIDTH } from 'levy-transparency-log';
import { describe, expect, test } from 'vitest';
import {
  LogFilesDamaged,
  logFiles,
  logFolder,
  markRestored,
  storedTree,
} from '../../../../src/proof/transparency/log-files.ts';
import { indexText } from '../../../../src/proof/transparency/log-tree.ts';
import { blobsInMemory, indexedEntry, recordedLog } from '../../../support/recorded-log.ts';
import { NOTARY_ORIGIN } from '../../../support/running-notary.ts';

const FOLDER = logFolder(NOTARY_ORIGIN);
/** Two full tiles, and 88 entries behind them. */
const recorded = await recordedLog(600);
const entries = recorded.events.map(indexedEntry);
const leaves = entries.map(({ entry }) => leafHash(entry));
const hex = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString('hex');
const text = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString();

/** A copy of the log, of which some files are others, or gone. */
function copyWith(changed: Readonly<Record<string, string | Uint8Array | undefined>> = {}) {
  const blobs = blobsInMemory();
  for (const [name, bytes] of recorded.blobs.stored) blobs.stored.set(name, bytes);
  for (const [name, bytes] of Object.entries(changed)) {
    if (bytes === undefined) blobs.stored.delete(`${FOLDER}${name}`);
    else blobs.stored.set(`${FOLDER}${name}`, Buffer.from(bytes));
  }
  const asked: string[] = [];
  const getFile = (name: string) => {
    asked.push(name.replace(FOLDER, ''));
    return blobs.getFile(name);
  };
  return { blobs, asked, files: logFiles({ ...blobs, getFile }, NOTARY_ORIGIN) };
}
const headText = text(recorded.blobs.stored.get(`${FOLDER}head`)) ?? '';
const headWith = (change: object) => `${JSON.stringify({ ...JSON.parse(headText), ...change })}\n`;

describe('the head', () => {
  test('is read as it was written', async () => {
    const { files } = copyWith();
    const head = (await files.head()) ?? expect.unreachable();
    expect(files.origin).toBe(NOTARY_ORIGIN);
    expect([head.size, hex(head.root)]).toEqual([600, hex(recorded.head.root)]);
    expect(head.entries.map(({ id, position }) => [id, position])).toEqual(
      entries.slice(512).map(({ id, position }) => [id, position]),
    );
    expect(hex(Buffer.concat(head.entries.map(({ entry }) => entry)))).toBe(
      hex(Buffer.concat(entries.slice(512).map(({ entry }) => entry))),
    );
    expect(head.upper.map((hashes) => hashes.map(hex))).toEqual(
      recorded.head.upper.map((hashes) => hashes.map(hex)),
    );
    expect(text(await files.headBytes())).toBe(headText);
    expect(text(files.bytesOf(head))).toBe(headText);
  });

  test('is there only once the log has begun', async () => {
    const { files } = copyWith({ head: undefined });
    expect([await files.head(), await files.headBytes()]).toEqual([undefined, undefined]);
  });

  test('is decoded once while its bytes are the same', async () => {
    const { files, blobs } = copyWith();
    const head = await files.head();
    expect(await files.head()).toBe(head);
    blobs.stored.set(`${FOLDER}head`, Buffer.from(headWith({ size: 599 })));
    expect((await files.head())?.size).toBe(599);
  });

  test.each([
    ['no JSON', 'broken'],
    ['of another format', headWith({ format: 'levy-log-2' })],
    ['of another log', headWith({ origin: 'levy.example/other' })],
    ['without a size', headWith({ size: undefined })],
  ])('is refused where it is damaged: %s', async (_what, head) => {
    const refused = new LogFilesDamaged(
      `The head of the log ${NOTARY_ORIGIN} is damaged; restore it from a backup.`,
    );
    await expect(copyWith({ head }).files.head()).rejects.toThrow(refused);
  });
});

describe('the note of a restore', () => {
  test.each([null, 'the last note\n'])('is read as it was written: %j', async (lastCheckpoint) => {
    const { files, blobs } = copyWith();
    expect(await files.restoration()).toBeUndefined();
    const restoration = { takenAt: '2026-05-04T10:00:00.000Z', lastCheckpoint };
    await markRestored(blobs, NOTARY_ORIGIN, restoration);
    expect(await files.restoration()).toEqual(restoration);
  });

  test.each(['broken', '{}', '{"takenAt":"now"}'])('is refused where it is damaged: %s', async (restored) => {
    await expect(copyWith({ restored }).files.restoration()).rejects.toThrow(
      new LogFilesDamaged(
        `The file ${FOLDER}restored of the log ${NOTARY_ORIGIN} is damaged; restore it from a backup.`,
      ),
    );
  });
});

describe('a tile', () => {
  const place = (level: number | 'entries', index: number, width: number) => ({ level, index, width });
  const leavesOf = (from: number, count: number) => hex(Buffer.concat(leaves.slice(from, from + count)));
  const bundleOf = (from: number, count: number) =>
    hex(entryBundle(entries.slice(from, from + count).map(({ entry }) => entry)));

  test.each([
    ['a full one', place(0, 1, 256), leavesOf(256, 256)],
    ['the beginning of a full one', place(0, 1, 7), leavesOf(256, 7)],
    ['the last, which the head has', place(0, 2, 88), leavesOf(512, 88)],
    ['the beginning of the last', place(0, 2, 3), leavesOf(512, 3)],
    ['more than the last has', place(0, 2, 89), undefined],
    ['one behind the last', place(0, 3, 1), undefined],
    ['a full bundle', place('entries', 0, 256), bundleOf(0, 256)],
    ['the beginning of a full bundle', place('entries', 0, 2), bundleOf(0, 2)],
    ['the last bundle', place('entries', 2, 88), bundleOf(512, 88)],
    ['more than the last bundle has', place('entries', 2, 89), undefined],
    ['one above', place(1, 0, 2), hex(Buffer.concat(recorded.head.upper[0] ?? []))],
    ['more than one above has', place(1, 0, 3), undefined],
    ['one of a level that is not there', place(2, 0, 1), undefined],
  ])('is given as wide as it was asked for: %s', async (_what, asked, expected) => {
    expect(hex(await copyWith().files.tile(asked))).toBe(expected);
  });

  test('that is not full is not there without a head', async () => {
    expect(await copyWith({ head: undefined }).files.tile(place(0, 2, 1))).toBeUndefined();
  });

  test('that is full is read once', async () => {
    const { files, asked } = copyWith();
    await files.tile(place(0, 1, 256));
    await files.tile(place(0, 1, 12));
    expect(asked).toEqual(['tile/0/001']);
  });
});

describe('a page of the index', () => {
  test('has the lines and the entries of 256 events, and the last those of the head', async () => {
    const { files, asked } = copyWith();
    const page = await files.page(1, recorded.head);
    expect(page.map(({ id }) => id)).toEqual(entries.slice(256, 512).map(({ id }) => id));
    expect(hex(Buffer.concat(page.map(({ entry }) => entry)))).toBe(
      hex(Buffer.concat(entries.slice(256, 512).map(({ entry }) => entry))),
    );
    expect(await files.page(2, recorded.head)).toBe(recorded.head.entries);
    await files.page(1, recorded.head);
    expect(asked).toEqual(['index/001', 'tile/entries/001']);
  });

  test.each([
    ['the index is missing', { 'index/001': undefined }],
    ['the index is damaged', { 'index/001': 'broken\n' }],
    ['the index is short', { 'index/001': indexText(entries.slice(256, 511), 256) }],
    [
      'a line of it is none',
      { 'index/001': `${indexText(entries.slice(256, 511), 256)}{"id":"event-511"}\n` },
    ],
    ['the bundle is missing', { 'tile/entries/001': undefined }],
    ['the bundle is damaged', { 'tile/entries/001': 'broken' }],
    ['the bundle is short', { 'tile/entries/001': entryBundle([leaves[0] ?? new Uint8Array()]) }],
  ])('is refused where %s', async (_what, change) => {
    await expect(copyWith(change).files.page(1, recorded.head)).rejects.toThrow(
      new LogFilesDamaged(
        'The files of entries 256 to 511 are missing or damaged; restore them from a backup.',
      ),
    );
  });

  test('that was replaced is read anew', async () => {
    const { files, blobs } = copyWith();
    await files.page(1, recorded.head);
    const moved = entries.slice(256, 512).map((line) => ({ ...line, position: 'elsewhere' }));
    await files.putIndex(1, moved);
    expect((await files.page(1, recorded.head)).map(({ position }) => position)).toEqual(
      Array<string>(TILE_WIDTH).fill('elsewhere'),
    );
    expect(text(blobs.stored.get(`${FOLDER}index/001`))).toBe(indexText(moved, 256));
  });
});

describe('the stored tree', () => {
  test('is refused where a tile is missing', async () => {
    const { files } = copyWith({ 'tile/0/001': undefined });
    await expect(storedTree(files, 600).root(300)).rejects.toThrow(
      new LogFilesDamaged('Tile 1 of level 0 is missing.'),
    );
  });
});
