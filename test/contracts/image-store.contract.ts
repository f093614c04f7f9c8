/** What every image store promises. An adapter's test hands in how it is opened, and how it is opened again. */
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { imageCid } from '../../src/images/image-cid.ts';
import type { ImageStore } from '../../src/ports/image-store.ts';

export interface ImageStoreUnderTest {
  /** The same place each time it is called, until `discard`. */
  open(): Promise<ImageStore>;
  discard(): Promise<void>;
}

const NO_CIDS = [
  '',
  '.',
  '..',
  '../../etc/passwd',
  '/etc/passwd',
  'incoming',
  'a.jpg',
  'x\0y',
  'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG',
  'BAFKREIHDWDCEFGH4DQKJV67UZCMW7OJEE6XEDZDETOJUZJEVTENXQUVYKU',
  'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku.jpg',
  'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvykv',
  'x'.repeat(10_000),
];

export function imageStoreContract(name: string, create: () => Promise<ImageStoreUnderTest>): void {
  describe(`the image store in ${name}`, () => {
    let place: ImageStoreUnderTest;
    let store: ImageStore;

    beforeEach(async () => {
      place = await create();
      store = await place.open();
    });

    afterEach(async () => {
      await store.close();
      await place.discard();
    });

    test('gives back exactly the bytes that were put', async () => {
      const images = [Buffer.of(0), randomBytes(50_000), randomBytes(1_000_000), Buffer.alloc(3, 0xff)];
      for (const bytes of images) await store.put(imageCid(bytes), bytes);
      for (const bytes of images) {
        const found = await store.get(imageCid(bytes));
        expect(found).toBeInstanceOf(Uint8Array);
        expect(Buffer.compare(found ?? Buffer.alloc(0), bytes)).toBe(0);
        expect(await store.has(imageCid(bytes))).toBe(true);
      }
    });

    test('has nothing that was not put', async () => {
      const cid = imageCid(randomBytes(8));
      expect(await store.get(cid)).toBeUndefined();
      expect(await store.has(cid)).toBe(false);
    });

    test('the same bytes again change nothing', async () => {
      const bytes = randomBytes(100);
      const cid = imageCid(bytes);
      await store.put(cid, bytes);
      await store.put(cid, bytes);
      expect(Buffer.from((await store.get(cid)) ?? [])).toEqual(bytes);
    });

    test('the same bytes from many callers at once are one image', async () => {
      const bytes = randomBytes(10_000);
      const cid = imageCid(bytes);
      await Promise.all(Array.from({ length: 20 }, () => store.put(cid, bytes)));
      expect(Buffer.from((await store.get(cid)) ?? [])).toEqual(bytes);
      await store.remove(cid);
      expect(await store.has(cid)).toBe(false);
    });

    test('does not keep the caller’s buffer: changing it later changes no image', async () => {
      const bytes = randomBytes(100);
      const [cid, copy] = [imageCid(bytes), Buffer.from(bytes)];
      await store.put(cid, bytes);
      bytes.fill(0);
      (await store.get(cid))?.fill(0);
      expect(Buffer.from((await store.get(cid)) ?? [])).toEqual(copy);
    });

    test('removes one image and no other, and what is not there without an error', async () => {
      const [one, other] = [randomBytes(10), randomBytes(10)];
      await store.put(imageCid(one), one);
      await store.put(imageCid(other), other);
      await store.remove(imageCid(one));
      await store.remove(imageCid(one));
      expect(await store.get(imageCid(one))).toBeUndefined();
      expect(await store.has(imageCid(one))).toBe(false);
      expect(await store.has(imageCid(other))).toBe(true);
    });

    test('an image that was removed can be put again', async () => {
      const bytes = randomBytes(10);
      await store.put(imageCid(bytes), bytes);
      await store.remove(imageCid(bytes));
      await store.put(imageCid(bytes), bytes);
      expect(await store.has(imageCid(bytes))).toBe(true);
    });

    test.each(NO_CIDS)('a name that is no CID is not found: %j', async (noCid) => {
      expect(await store.get(noCid)).toBeUndefined();
      expect(await store.has(noCid)).toBe(false);
      await store.remove(noCid);
    });

    test('opening it again finds everything', async () => {
      const [kept, removed] = [randomBytes(10), randomBytes(10)];
      await store.put(imageCid(kept), kept);
      await store.put(imageCid(removed), removed);
      await store.remove(imageCid(removed));
      await store.close();
      store = await place.open();
      expect(Buffer.from((await store.get(imageCid(kept))) ?? [])).toEqual(kept);
      expect(await store.has(imageCid(removed))).toBe(false);
    });
  });
}
