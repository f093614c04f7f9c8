// Images in memory: however many ask for one, it is read once, and what is cached is bounded.
import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { imageCid } from '../../../../src/server/images/image-cid.ts';
import { createImages } from '../../../../src/server/images/images.ts';

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const image = (fill: number) => new Uint8Array(100).fill(fill);
const cidOf = (fill: number) => imageCid(sha256Of(image(fill)));

function countedBlobs(...fills: readonly number[]) {
  const stored = new Map(fills.map((fill) => [sha256Of(image(fill)), image(fill)]));
  const read: string[] = [];
  const blobs: Parameters<typeof createImages>[0] = {
    async put(pieces) {
      const all: Uint8Array[] = [];
      for await (const piece of pieces) all.push(piece);
      const bytes = Buffer.concat(all);
      stored.set(sha256Of(bytes), bytes);
      return sha256Of(bytes);
    },
    async read(sha256) {
      read.push(imageCid(sha256));
      return stored.get(sha256)?.slice();
    },
    has: async (sha256) => stored.has(sha256),
    retain: async (sha256) => stored.has(sha256),
    async *leftAlone() {
      yield* stored.keys();
    },
    remove: async (sha256) => stored.delete(sha256),
  };
  return { blobs, read };
}

test('an image is named by a CID that contains the SHA-256 of its bytes, also where unused ones are listed', async () => {
  const images = createImages(countedBlobs().blobs);
  expect(await images.put(image(7))).toBe(cidOf(7));
  expect(Buffer.from((await images.get(cidOf(7))) ?? [])).toEqual(Buffer.from(image(7)));
  expect(await images.has(cidOf(7))).toBe(true);
  expect(await images.retain(cidOf(7))).toBe(true);
  const listed: string[] = [];
  for await (const cid of images.leftAlone(new Date())) listed.push(cid);
  expect(listed).toEqual([cidOf(7)]);
  expect(await images.remove(cidOf(7), new Date())).toBe(true);
  expect(await images.has(cidOf(7))).toBe(false);
});

test('the small size of an image is computed once, however many ask for it', async () => {
  const { blobs, read } = countedBlobs();
  const images = createImages(blobs);
  const white = { width: 512, height: 512, channels: 3, background: '#fff' } as const;
  const cid = await images.put(await sharp({ create: white }).jpeg().toBuffer());
  const [one, other] = await Promise.all([images.getSmall(cid), images.getSmall(cid)]);
  expect((await sharp(one).metadata()).width).toBe(128);
  expect([other === one, (await images.getSmall(cid)) === one, read]).toEqual([true, true, [cid]]);
  expect(await images.getSmall(cidOf(1))).toBeUndefined();
});

test.each([
  '',
  'incoming',
  sha256Of(image(1)),
  `${cidOf(1)}.jpg`,
])('%j is no CID: nothing is found under it', async (no) => {
  const { blobs, read } = countedBlobs(1);
  const images = createImages(blobs);
  expect(await images.get(no)).toBeUndefined();
  for (const found of [images.has(no), images.retain(no), images.remove(no, new Date())])
    expect(await found).toBe(false);
  expect(read).toEqual([]);
});

test('callers who ask at the same time, and later ones, get the same bytes, read once', async () => {
  const { blobs, read } = countedBlobs(1);
  const images = createImages(blobs);
  const [first, second] = await Promise.all([images.get(cidOf(1)), images.get(cidOf(1))]);
  expect(first).toEqual(image(1));
  expect(second).toBe(first);
  expect(await images.get(cidOf(1))).toBe(first);
  expect(read).toEqual([cidOf(1)]);
});

test('no more bytes are cached than may be: the ones used longest ago are read again', async () => {
  const { blobs, read } = countedBlobs(0, 1, 2);
  const images = createImages(blobs, 200);
  for (const fill of [0, 1, 2, 2, 1, 0]) await images.get(cidOf(fill));
  expect(read).toEqual([0, 1, 2, 0].map(cidOf));
});

test('an absent image is looked for each time, since it may be put', async () => {
  const images = createImages(countedBlobs().blobs);
  expect(await images.get(cidOf(1))).toBeUndefined();
  await images.put(image(1));
  expect(Buffer.from((await images.get(cidOf(1))) ?? [])).toEqual(Buffer.from(image(1)));
});

test('an image that is removed while it is read is not cached', async () => {
  const images = createImages(countedBlobs(1).blobs);
  const reading = images.get(cidOf(1));
  await images.remove(cidOf(1), new Date());
  await reading;
  expect(await images.get(cidOf(1))).toBeUndefined();
});

test('a reading that fails is not remembered', async () => {
  const { blobs } = countedBlobs(1);
  let fails = true;
  const images = createImages({
    ...blobs,
    read: async (...range) => {
      if (fails) throw new Error('disk');
      return blobs.read(...range);
    },
  });
  await expect(images.get(cidOf(1))).rejects.toThrow('disk');
  fails = false;
  expect(await images.get(cidOf(1))).toEqual(image(1));
});
