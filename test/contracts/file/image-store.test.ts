import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openFileImageStore } from '../../../src/adapters/file/image-store.ts';
import { file } from '../../../src/adapters/file/index.ts';
import { imageCid } from '../../../src/server/images/image-cid.ts';
import { imageStoreContract } from '../image-store.contract.ts';

imageStoreContract('files', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'levy-'));
  return {
    open: async () =>
      (await file['image-store'].open({ url: `file:${join(directory, 'data', 'images')}` })).store,
    lay: (cid, bytes) => writeFile(join(directory, 'data', 'images', cid.slice(-3, -1), `${cid}.jpg`), bytes),
    discard: () => rm(directory, { recursive: true }),
  };
});

describe('image files', () => {
  let parent: string;
  let directory: string;

  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'levy-'));
    directory = join(parent, 'data', 'images');
  });

  afterEach(() => rm(parent, { recursive: true }));

  async function filesIn(folder: string): Promise<string[]> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  }

  test('are named by their CID, with nothing left over beside them', async () => {
    const store = await openFileImageStore(directory);
    const bytes = randomBytes(100);
    const cid = imageCid(bytes);
    await store.put(cid, bytes);
    await store.put(cid, bytes);
    const files = await filesIn(directory);
    expect(files).toEqual([join(directory, cid.slice(-3, -1), `${cid}.jpg`)]);
    expect(await readFile(files[0] ?? '')).toEqual(bytes);
  });

  test('never lie outside of the directory, whatever the name', async () => {
    const store = await openFileImageStore(directory);
    await writeFile(join(parent, 'outside.jpg'), 'keep me');
    for (const name of [
      '../../outside',
      '../../outside.jpg',
      'incoming',
      '',
      `${imageCid(Buffer.of(1))}/../x`,
    ]) {
      await expect(store.put(name, Buffer.of(1)), name).rejects.toThrow('not the CID');
      await store.remove(name, new Date());
    }
    expect(await filesIn(parent)).toEqual([join(parent, 'outside.jpg')]);
  });

  test('are not written under the name of other bytes', async () => {
    const store = await openFileImageStore(directory);
    await expect(store.put(imageCid(Buffer.of(1)), Buffer.of(2))).rejects.toThrow('not the CID');
    expect(await filesIn(directory)).toEqual([]);
  });

  test('lie in directories that are their owner’s alone where the store made them', async () => {
    await openFileImageStore(directory);
    for (const made of [join(parent, 'data'), directory]) {
      expect((await stat(made)).mode & 0o777).toBe(0o700);
    }
  });

  test('that a crash left half written are removed an hour later', async () => {
    await openFileImageStore(directory);
    const [old, fresh] = [join(directory, 'incoming', '.old.tmp'), join(directory, 'incoming', '.fresh.tmp')];
    await writeFile(old, 'half');
    await writeFile(fresh, 'half');
    const twoHoursAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);
    await utimes(old, twoHoursAgo, twoHoursAgo);
    await openFileImageStore(directory);
    expect(await filesIn(directory)).toEqual([fresh]);
  });

  test('a path that is no directory stops the opening', async () => {
    await mkdir(join(parent, 'data'));
    await writeFile(directory, 'a file');
    await expect(openFileImageStore(directory)).rejects.toThrow();
  });
});
