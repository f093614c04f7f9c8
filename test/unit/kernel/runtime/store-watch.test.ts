// A store of files that cannot store: the operator is told once, callers are refused, and it goes on by itself.
import { expect, test } from 'vitest';
import { folderTrouble } from '../../../../src/adapters/file/blob-store.ts';
import { ContentDamaged, type StoreTrouble, StoreUnavailable } from '../../../../src/kernel/ports/errors.ts';
import { loggerTo, silentLogger } from '../../../../src/kernel/ports/logger.ts';
import { watchStore } from '../../../../src/kernel/runtime/store-watch.ts';

function openWatched() {
  let code: string | undefined;
  const told: string[] = [];
  const work = async () => {
    if (code !== undefined) throw Object.assign(new Error('refused'), { code });
    return 'done';
  };
  const watched = watchStore(
    {
      store: { put: work, read: work },
      place: '/data/ledgers',
      troubleOf: folderTrouble,
      probe: async () => void (await work()),
    },
    {
      what: 'ledgers',
      writes: ['put'],
      logger: loggerTo((message) => void told.push(message)),
    },
  );
  const fail = (next: string | undefined) => {
    code = next;
  };
  return { ...watched, told, fail };
}

test.each([
  ['ENOSPC', 'disk full'],
  ['EDQUOT', 'disk full'],
  ['EIO', 'disk failed'],
  ['EROFS', 'disk failed'],
])('a write that ends with %s is refused as unavailable, and shown as: %s', async (code, kind) => {
  const { store, trouble, told, fail } = openWatched();
  expect(await trouble()).toBeUndefined();
  fail(code);
  for (let tries = 0; tries < 3; tries++) await expect(store.put()).rejects.toThrow(StoreUnavailable);
  expect(await trouble()).toMatchObject({ kind, where: 'ledgers', reason: code });
  expect(told).toEqual(['ledgers cannot be stored']);
});

test('is over as soon as something is stored, or a look shows that it can be', async () => {
  const { store, trouble, told, fail } = openWatched();
  fail('ENOSPC');
  await expect(store.put()).rejects.toThrow('ledgers cannot be stored');
  fail(undefined);
  expect(await trouble()).toBeUndefined();
  fail('ENOSPC');
  await expect(store.put()).rejects.toThrow(StoreUnavailable);
  fail(undefined);
  expect(await store.put()).toBe('done');
  expect(told.filter((message) => message === 'ledgers can be stored again')).toHaveLength(2);
});

test('what the store knows of itself is shown before anybody stores anything', async () => {
  let known: StoreTrouble | undefined;
  const watched = watchStore(
    {
      store: { async put() {} },
      place: 'there',
      troubleOf: () => undefined,
      probe: async () => {},
      trouble: () => known,
    },
    { what: 'images', writes: ['put'], logger: silentLogger },
  );
  expect(await watched.trouble()).toBeUndefined();
  known = { kind: 'not answering', where: 'MongoDB', reason: 'no primary is known', whatToDo: 'Wait.' };
  expect(await watched.trouble()).toEqual({ ...known, where: 'images' });
});

test('reads, and writes that fail for another reason, are passed on as they are', async () => {
  const { store, trouble, told, fail } = openWatched();
  fail('ENOSPC');
  await expect(store.read()).rejects.toThrow('refused');
  fail('EBADF');
  await expect(store.put()).rejects.toThrow('refused');
  expect([await trouble(), told]).toEqual([undefined, []]);
});

test('a file that is damaged is told once, with its name and its place, however often it is asked for', async () => {
  const told: object[] = [];
  const { store } = watchStore(
    {
      store: {
        get: async (file: string) => {
          throw new ContentDamaged('image', file, '/data/images');
        },
      },
      place: '/data/images',
      troubleOf: folderTrouble,
      probe: async () => {},
    },
    {
      what: 'images',
      writes: [],
      logger: loggerTo((message, details, level) => void told.push({ message, level, ...details })),
    },
  );
  for (const file of ['one', 'one', 'other', 'one'])
    await expect(store.get(file)).rejects.toThrow(ContentDamaged);
  expect(told).toEqual(
    ['one', 'other'].map((file) => ({
      message: 'images are damaged',
      level: 'error',
      place: '/data/images',
      file,
      reason: `the image ${file} in /data/images is damaged: its bytes do not match its hash. Restore it from a backup`,
    })),
  );
});

test.each([
  ['not answering', 'warn'],
  ['refused', 'error'],
  ['disk full', 'error'],
] as const)('a write that fails because the store is %s is logged as %s', async (kind, level) => {
  const told: object[] = [];
  const { store } = watchStore(
    {
      store: { put: () => Promise.reject(new Error('read ECONNRESET')) },
      place: 'there',
      troubleOf: () => ({ kind, reason: 'read ECONNRESET', whatToDo: 'Wait.' }),
      probe: async () => {},
    },
    {
      what: 'ledgers',
      writes: ['put'],
      logger: loggerTo((_message, details, level) => void told.push({ level, ...details })),
    },
  );
  await expect(store.put()).rejects.toThrow(StoreUnavailable);
  expect(told).toMatchObject([{ level, cause: kind }]);
});
