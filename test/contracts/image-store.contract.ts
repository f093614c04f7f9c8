/** What every image store promises. An adapter's test hands in how it is opened, and how it is opened again. */
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ContentDamaged } from '../../src/kernel/ports/content-damaged.ts';
import type { ImageStore } from '../../src/kernel/ports/image-store.ts';
import { imageCid } from '../../src/server/images/image-cid.ts';
import { leftAloneContract, listedIn, moment, WHENEVER } from './left-alone.contract.ts';

export interface ImageStoreUnderTest {
  /** The same place each time it is called, until `discard`. */
  open(): Promise<ImageStore>;
  /** Lays other bytes in the image's place, as a disk or an intruder does: nothing else of it changes. */
  lay(cid: string, bytes: Uint8Array): Promise<void>;
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

/** How often two processes race for one image: a slow server is asked for less. */
interface Pace {
  readonly races: number;
}

export function imageStoreContract(
  name: string,
  create: () => Promise<ImageStoreUnderTest>,
  { races }: Pace = { races: 200 },
): void {
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
      await store.remove(cid, WHENEVER);
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

    test.each([
      [
        'a bit changed',
        (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -1), Buffer.of(1 ^ (bytes.at(-1) ?? 0))]),
      ],
      ['a byte missing', (bytes: Buffer) => bytes.subarray(1)],
      ['nothing', () => Buffer.alloc(0)],
      ['a byte more', (bytes: Buffer) => Buffer.concat([bytes, Buffer.of(0)])],
    ])('gives no image whose bytes are not those of its name, until they are: %s', async (_what, damage) => {
      const bytes = randomBytes(30_000);
      const cid = imageCid(bytes);
      await store.put(cid, bytes);
      await place.lay(cid, damage(bytes));
      await expect(store.get(cid)).rejects.toThrow(ContentDamaged);
      await expect(store.get(cid)).rejects.toThrow(`the image ${cid} in `);
      await store.put(cid, bytes);
      expect(Buffer.from((await store.get(cid)) ?? [])).toEqual(bytes);
    });

    test('removes one image and no other, and what is not there without an error', async () => {
      const [one, other] = [randomBytes(10), randomBytes(10)];
      await store.put(imageCid(one), one);
      await store.put(imageCid(other), other);
      await store.remove(imageCid(one), WHENEVER);
      await store.remove(imageCid(one), WHENEVER);
      expect(await store.get(imageCid(one))).toBeUndefined();
      expect(await store.has(imageCid(one))).toBe(false);
      expect(await store.has(imageCid(other))).toBe(true);
    });

    test('an image that was removed can be put again', async () => {
      const bytes = randomBytes(10);
      await store.put(imageCid(bytes), bytes);
      await store.remove(imageCid(bytes), WHENEVER);
      await store.put(imageCid(bytes), bytes);
      expect(await store.has(imageCid(bytes))).toBe(true);
    });

    test.each(NO_CIDS)('a name that is no CID is not found: %j', async (noCid) => {
      expect(await store.get(noCid)).toBeUndefined();
      expect(await store.has(noCid)).toBe(false);
      await store.remove(noCid, WHENEVER);
    });

    const listed = (since: Date) => listedIn(store, since);

    async function putSome(count: number): Promise<readonly string[]> {
      const images = Array.from({ length: count }, () => randomBytes(20));
      for (const bytes of images) await store.put(imageCid(bytes), bytes);
      return images.map(imageCid).sort();
    }

    leftAloneContract({ store: () => store, another: () => place.open(), putSome, races });

    test('what is kept, or put again, has not been left alone', async () => {
      const bytes = [randomBytes(10), randomBytes(10)] as const;
      for (const each of bytes) await store.put(imageCid(each), each);
      const then = await moment();
      expect(await store.keep(imageCid(bytes[0]))).toBe(true);
      await store.put(imageCid(bytes[1]), bytes[1]);
      for (const each of bytes) expect(await store.remove(imageCid(each), then)).toBe(false);
      expect(await listed(then)).toEqual([]);
      for (const each of bytes) expect(await store.get(imageCid(each))).toHaveLength(10);
    });

    test('says of what is not there that it cannot be kept', async () => {
      const [cid = ''] = await putSome(1);
      await store.remove(cid, WHENEVER);
      expect(await store.keep(cid)).toBe(false);
      expect(await store.keep('incoming')).toBe(false);
    });

    test('of keeping and removing at once one comes first: what was kept is there, what is gone was not kept', async () => {
      const cids = await putSome(50);
      const then = await moment();
      const outcomes = await Promise.all(
        cids.flatMap((cid, place) => {
          const steps = [() => store.keep(cid), () => store.remove(cid, then)];
          if (place % 2 === 1) steps.reverse();
          return [Promise.all(steps.map((step) => step()))];
        }),
      );
      for (const [place, cid] of cids.entries()) {
        const [one, other] = outcomes[place] ?? [];
        expect(one, 'one of the two').not.toBe(other);
        const wasKept = place % 2 === 1 ? other : one;
        expect(await store.has(cid)).toBe(wasKept);
      }
    });

    test('remembers over a restart since when an image is left alone', async () => {
      const [kept, left] = [randomBytes(10), randomBytes(10)];
      for (const bytes of [kept, left]) await store.put(imageCid(bytes), bytes);
      const then = await moment();
      await store.keep(imageCid(kept));
      await store.close();
      store = await place.open();
      expect(await listed(then)).toEqual([imageCid(left)]);
    });

    test('opening it again finds everything', async () => {
      const [kept, removed] = [randomBytes(10), randomBytes(10)];
      await store.put(imageCid(kept), kept);
      await store.put(imageCid(removed), removed);
      await store.remove(imageCid(removed), WHENEVER);
      await store.close();
      store = await place.open();
      expect(Buffer.from((await store.get(imageCid(kept))) ?? [])).toEqual(kept);
      expect(await store.has(imageCid(removed))).toBe(false);
    });
  });
}
