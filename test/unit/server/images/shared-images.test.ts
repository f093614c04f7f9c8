// Images in memory: however many ask for one, it is read once, and what is kept is bounded.
import { expect, test } from 'vitest';
import type { ImageStore } from '../../../../src/kernel/ports/image-store.ts';
import { shareImages } from '../../../../src/server/images/shared-images.ts';

function countedStore(images: Map<string, Uint8Array>) {
  const read: string[] = [];
  const store: ImageStore = {
    put: async (cid, bytes) => void images.set(cid, bytes),
    async get(cid) {
      read.push(cid);
      return images.get(cid)?.slice();
    },
    has: async (cid) => images.has(cid),
    keep: async (cid) => images.has(cid),
    async *leftAlone() {},
    remove: async (cid) => images.delete(cid),
    close: async () => undefined,
  };
  return { store, read };
}

const image = (fill: number) => new Uint8Array(100).fill(fill);

test('callers who ask at the same time, and later ones, get the same bytes, read once', async () => {
  const { store, read } = countedStore(new Map([['a', image(1)]]));
  const shared = shareImages(store);
  const [first, second] = await Promise.all([shared.get('a'), shared.get('a')]);
  expect(first).toEqual(image(1));
  expect(second).toBe(first);
  expect(await shared.get('a')).toBe(first);
  expect(read).toEqual(['a']);
});

test('no more bytes are kept than may be: the ones used longest ago are read again', async () => {
  const { store, read } = countedStore(new Map(['a', 'b', 'c'].map((cid, at) => [cid, image(at)])));
  const shared = shareImages(store, 200);
  for (const cid of ['a', 'b', 'c', 'c', 'b', 'a']) await shared.get(cid);
  expect(read).toEqual(['a', 'b', 'c', 'a']);
});

test('an absent image is looked for each time, since it may be put', async () => {
  const { store } = countedStore(new Map());
  const shared = shareImages(store);
  expect(await shared.get('a')).toBeUndefined();
  await shared.put('a', image(1));
  expect(await shared.get('a')).toEqual(image(1));
});

test('a removed image is gone, also for one who was reading it', async () => {
  const { store } = countedStore(new Map([['a', image(1)]]));
  const shared = shareImages(store);
  const reading = shared.get('a');
  await shared.remove('a', new Date());
  await reading;
  expect(await shared.get('a')).toBeUndefined();
});

test('a reading that fails is not remembered', async () => {
  const { store } = countedStore(new Map([['a', image(1)]]));
  let fails = true;
  const shared = shareImages({
    ...store,
    get: (cid) => (fails ? Promise.reject(new Error('disk')) : store.get(cid)),
  });
  await expect(shared.get('a')).rejects.toThrow('disk');
  fails = false;
  expect(await shared.get('a')).toEqual(image(1));
});
