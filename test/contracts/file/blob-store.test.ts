import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { openFileBlobStore } from '../../../src/adapters/file/blob-store.ts';
import { file } from '../../../src/adapters/file/index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { blobStoreContract } from '../blob-store.contract.ts';

blobStoreContract('files', async () => {
  const directory = await temporaryFolder();
  return {
    open: async () =>
      (
        await file['blob-store'].open({
          url: `file:${join(directory, 'data', 'ledgers')}`,
          content: 'ledger file',
        })
      ).store,
    lay: (sha256, bytes) =>
      writeFile(join(directory, 'data', 'ledgers', 'blobs', sha256.slice(0, 2), sha256), bytes),
  };
});

describe('blob files', () => {
  let parent: string;
  let directory: string;

  beforeEach(async () => {
    parent = await temporaryFolder();
    directory = join(parent, 'data', 'ledgers');
  });

  async function filesIn(folder: string): Promise<string[]> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  }

  test('are named by their SHA-256, with nothing left over beside them', async () => {
    const store = await openFileBlobStore(directory);
    const bytes = randomBytes(100);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    await store.put([bytes]);
    await store.put([bytes]);
    await expect(store.put(failing())).rejects.toThrow('no more');
    const files = await filesIn(directory);
    expect(files).toEqual([join(directory, 'blobs', sha256.slice(0, 2), sha256)]);
    expect(await readFile(files[0] ?? '')).toEqual(bytes);
    await store.close();
  });

  test('lie in directories that are their owner’s alone where the store made them', async () => {
    const store = await openFileBlobStore(directory);
    await store.putFile('a/b', Buffer.of(1));
    for (const made of [join(parent, 'data'), directory, join(directory, 'named', 'a+')])
      expect((await stat(made)).mode & 0o777).toBe(0o700);
  });

  test('that a crash left half written are removed an hour later', async () => {
    await openFileBlobStore(directory);
    const incoming = join(directory, 'blobs', 'incoming');
    const [old, fresh] = [join(incoming, '.old.tmp'), join(incoming, '.fresh.tmp')];
    await writeFile(old, 'half');
    await writeFile(fresh, 'half');
    const twoHoursAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);
    await utimes(old, twoHoursAgo, twoHoursAgo);
    await openFileBlobStore(directory);
    expect(await filesIn(directory)).toEqual([fresh]);
  });

  test('a path that is no directory stops the opening', async () => {
    await mkdir(join(parent, 'data'));
    await writeFile(directory, 'a file');
    await expect(openFileBlobStore(directory)).rejects.toThrow();
  });
});

async function* failing() {
  yield Buffer.of(1);
  throw new Error('no more');
}
