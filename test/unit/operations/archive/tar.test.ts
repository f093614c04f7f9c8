// The files of a backup pass through an archive unchanged, and what is no such archive is refused.
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createTarPacker } from 'modern-tar';
import { expect, test } from 'vitest';
import { entriesIn, tarOf } from '../../../../src/operations/archive/tar.ts';

const bytes = Buffer.alloc(70_000, 7);
const archive = () =>
  buffer(
    tarOf(
      (async function* () {
        yield { path: 'a/b', size: bytes.length, chunks: [bytes.subarray(0, 9), bytes.subarray(9)] };
      })() as never,
    ),
  );

async function read(archived: Uint8Array) {
  const found: [string, Buffer][] = [];
  const pieces = (async function* () {
    yield archived;
  })();
  for await (const { path, chunks } of entriesIn(pieces))
    found.push([path, await buffer(Readable.from(chunks))]);
  return found;
}

test('what was packed is read, and an archive that ends early is not', async () => {
  const packed = await archive();
  expect(await read(packed)).toEqual([['a/b', bytes]]);
  await expect(read(packed.subarray(0, 40_000))).rejects.toThrow(/the backup is incomplete/);
});

test('a folder in an archive is refused', async () => {
  const { readable, controller } = createTarPacker();
  await controller.add({ name: 'folder', type: 'directory', size: 0 }).close();
  controller.finalize();
  await expect(read(await buffer(readable as never))).rejects.toThrow('only files are allowed');
});
