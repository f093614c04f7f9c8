// A store of files that cannot store: the operator is told once, callers are refused, and it goes on by itself.
import { expect, test } from 'vitest';
import { StoreUnavailable } from '../../../src/ports/store-unavailable.ts';
import { watchStore } from '../../../src/runtime/watched-store.ts';

function openWatched() {
  let code: string | undefined;
  const told: string[] = [];
  const work = async () => {
    if (code !== undefined) throw Object.assign(new Error('refused'), { code });
    return 'done';
  };
  const watched = watchStore(
    { put: work, read: work },
    {
      what: 'ledgers',
      writes: ['put'],
      folder: '/data/ledgers',
      probe: async () => void (await work()),
      report: (message) => void told.push(message),
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

test('reads, and writes that fail for another reason, are passed on as they are', async () => {
  const { store, trouble, told, fail } = openWatched();
  fail('ENOSPC');
  await expect(store.read()).rejects.toThrow('refused');
  fail('EBADF');
  await expect(store.put()).rejects.toThrow('refused');
  expect([await trouble(), told]).toEqual([undefined, []]);
});
