import { expect, test } from 'vitest';
import type { BackupPart } from '../../../../src/operations/archive/backup-parts.ts';
import { fileAt, pathOf } from '../../../../src/operations/archive/backup-parts.ts';
import { framesOf, partsOf } from '../../../../src/operations/archive/frames.ts';

const PARTS: readonly BackupPart[] = [
  {
    kind: 'begin',
    begin: { format: 1, version: '1.0.0', takenAt: '2026-05-04T10:00:00.000Z', positions: 'events' },
  },
  { kind: 'piece', path: pathOf.named('transparency/head'), bytes: Buffer.from('{"end":{}}\n') },
  { kind: 'piece', path: pathOf.log(0), bytes: Buffer.from('') },
  { kind: 'end', end: { events: 1, head: '1', firstEvent: 'x', blobs: 0, named: 1, images: 0 } },
];

async function* from<Item>(items: readonly Item[]): AsyncGenerator<Item, void> {
  yield* items;
}

async function bytesOf(parts: readonly BackupPart[]): Promise<Buffer> {
  const frames: Uint8Array[] = [];
  for await (const frame of framesOf(from(parts))) frames.push(frame);
  return Buffer.concat(frames);
}

async function read(chunks: readonly Uint8Array[]): Promise<readonly BackupPart[]> {
  const parts: BackupPart[] = [];
  for await (const part of partsOf(from(chunks))) parts.push(part);
  return parts;
}

test('parts come back as they went, however their bytes are cut into chunks', async () => {
  const bytes = await bytesOf(PARTS);
  for (const size of [1, 7, bytes.length]) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    );
    expect(await read(chunks)).toEqual(PARTS);
  }
});

test('a stream that ends at any byte before its last is refused', async () => {
  const bytes = await bytesOf(PARTS);
  for (let length = 0; length < bytes.length; length += 1)
    await expect(read([bytes.subarray(0, length)])).rejects.toThrow(/cut off/);
});

test('what is no backup is refused', async () => {
  await expect(read([Buffer.from('{"hello":1}\n')])).rejects.toThrow(/no backup/);
  await expect(read([Buffer.alloc(10_000, 'x')])).rejects.toThrow(/no backup/);
  await expect(read([await bytesOf(PARTS), Buffer.from('more')])).rejects.toThrow(/no backup/);
});

test('only paths that a backup gives name a file', () => {
  const sha256 = 'ab'.repeat(32);
  expect(fileAt(pathOf.blob(sha256))).toEqual({ kind: 'blob', sha256 });
  expect(fileAt(pathOf.log(12))).toEqual({ kind: 'log', number: 12 });
  expect(fileAt(pathOf.named('transparency/tile/0/x001'))).toEqual({
    kind: 'named',
    name: 'transparency/tile/0/x001',
  });
  for (const path of [
    '../manifest.json',
    'log/../../x',
    '/etc/passwd',
    'named/../x',
    'named/..+x',
    `blobs/00/${sha256}`,
    `blobs/ab/../${sha256}`,
    'images/../../x',
    'secrets/master-seed',
    'manifest.json',
  ])
    expect(fileAt(path), path).toBeUndefined();
});
