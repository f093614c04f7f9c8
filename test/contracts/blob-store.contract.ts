/** Contract of the BlobStore port. An adapter's test supplies functions that open and reopen the store. */
import { createHash, randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { BlobStore } from '../../src/kernel/ports/blob-store.ts';
import { ContentDamaged } from '../../src/kernel/ports/errors.ts';
import { allOf } from '../support/all-of.ts';

/** Everything has been left alone since then. */
const WHENEVER = new Date(8_640_000_000_000_000);
/** Milliseconds: more than the clocks of file systems are coarse. */
const TICK = 20;

/** A moment between what was done before and what is done after it. */
async function moment(): Promise<Date> {
  await setTimeout(TICK);
  const now = new Date();
  await setTimeout(TICK);
  return now;
}

export interface BlobStoreUnderTest {
  /** The same place each time it is called. */
  open(): Promise<BlobStore>;
  /** Lays other bytes in the blob's place, as a disk or an intruder does: nothing else of it changes. */
  lay(sha256: string, bytes: Uint8Array): Promise<void>;
}

const NO_HASHES = ['', '../../etc/passwd', 'a'.repeat(65), 'A'.repeat(64), `${'a'.repeat(62)}..`];

const NO_NAMES = ['', '/a', 'a//b', 'a/../b', '.a', 'ä', 'a\0b', 'a\\b', 'x'.repeat(201)];

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

function piecesOf(bytes: Uint8Array, size: number): readonly Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}

/** How often two processes race for one blob: a slow server is asked for less. */
interface Pace {
  readonly races: number;
}

export function blobStoreContract(
  name: string,
  create: () => Promise<BlobStoreUnderTest>,
  { races }: Pace = { races: 100 },
): void {
  describe(`the blob store in ${name}`, () => {
    let place: BlobStoreUnderTest;
    let store: BlobStore;

    beforeEach(async () => {
      place = await create();
      store = await place.open();
    });

    afterEach(() => store.close());

    async function putSome(count: number): Promise<readonly string[]> {
      const put: string[] = [];
      for (let index = 0; index < count; index++) put.push(await store.put([randomBytes(20)]));
      return put.sort();
    }

    const listed = async (since: Date) => [...(await allOf(store.leftAlone(since)))].sort();
    const whole = async (sha256: string) => {
      const bytes = await store.read(sha256, 0, Number.MAX_SAFE_INTEGER);
      return bytes && Buffer.from(bytes);
    };

    test('names bytes by their SHA-256, whatever pieces they come in', async () => {
      for (const bytes of [Buffer.alloc(0), Buffer.of(0), randomBytes(50_000), randomBytes(1_000_000)]) {
        const sha256 = sha256Of(bytes);
        expect(await store.put([bytes])).toBe(sha256);
        expect(await store.put(piecesOf(bytes, 40_000))).toBe(sha256);
        expect((await whole(sha256))?.equals(bytes)).toBe(true);
        expect(await store.size(sha256)).toBe(bytes.length);
        expect(await store.has(sha256)).toBe(true);
      }
    });

    test('asks for a piece when it has stored the one before, whose memory may be used again', async () => {
      const expected = createHash('sha256');
      async function* pieces() {
        const piece = new Uint8Array(10_000);
        for (let index = 0; index < 50; index++) {
          piece.fill(index);
          expected.update(piece);
          yield piece;
        }
      }
      const sha256 = await store.put(pieces());
      expect(sha256).toBe(expected.digest('hex'));
      expect(sha256Of((await whole(sha256)) ?? Buffer.alloc(0))).toBe(sha256);
    });

    test('reads any range, fewer bytes at the end, and none behind it', async () => {
      const bytes = randomBytes(10_000);
      const sha256 = await store.put([bytes]);
      for (const [offset, length] of [
        [0, 1],
        [0, 0],
        [17, 4_000],
        [9_990, 10],
        [9_990, 11],
        [9_999, 1_000_000_000_000],
        [10_000, 5],
        [20_000, 5],
        [Number.MAX_SAFE_INTEGER, 1],
      ] as const)
        expect(Buffer.from((await store.read(sha256, offset, length)) ?? 'absent')).toEqual(
          bytes.subarray(offset, Math.min(offset + length, bytes.length)),
        );
    });

    test.each([
      -1,
      0.5,
      Number.NaN,
      Number.POSITIVE_INFINITY,
    ])('refuses a range with %d in it', async (no) => {
      const sha256 = await store.put([Buffer.of(1)]);
      await expect(store.read(sha256, no, 1)).rejects.toThrow(RangeError);
      await expect(store.read(sha256, 0, no)).rejects.toThrow(RangeError);
    });

    test('has nothing that was not put', async () => {
      const sha256 = sha256Of(randomBytes(8));
      expect(await store.read(sha256, 0, 10)).toBeUndefined();
      expect(await store.size(sha256)).toBeUndefined();
      expect(await store.has(sha256)).toBe(false);
    });

    test('stores nothing when the pieces fail, and hands their error on', async () => {
      const half = randomBytes(100);
      async function* failing() {
        yield half;
        throw new Error('no more');
      }
      await expect(store.put(failing())).rejects.toThrow('no more');
      expect(await store.has(sha256Of(half))).toBe(false);
      expect(await listed(WHENEVER)).toEqual([]);
    });

    test('the same bytes from many callers at once are one blob', async () => {
      const bytes = randomBytes(10_000);
      const names = await Promise.all(
        Array.from({ length: 20 }, (_, index) => store.put(piecesOf(bytes, 500 + index))),
      );
      expect(new Set(names)).toEqual(new Set([sha256Of(bytes)]));
      expect(await listed(WHENEVER)).toEqual([sha256Of(bytes)]);
      expect(await whole(sha256Of(bytes))).toEqual(bytes);
    });

    test('gives out bytes that are the caller’s: changing them changes no blob', async () => {
      const bytes = randomBytes(100);
      const sha256 = await store.put([bytes]);
      (await store.read(sha256, 0, 100))?.fill(0);
      expect(await whole(sha256)).toEqual(bytes);
    });

    test.each(NO_HASHES)('a name that is no SHA-256 is not found: %j', async (no) => {
      expect(await store.read(no, 0, 1)).toBeUndefined();
      expect(await store.size(no)).toBeUndefined();
      expect(await store.has(no)).toBe(false);
      expect(await store.retain(no)).toBe(false);
      expect(await store.remove(no, WHENEVER)).toBe(false);
    });

    test('removes one blob and no other, and what is not there without an error', async () => {
      const [one, other] = [await store.put([randomBytes(10)]), await store.put([randomBytes(10)])];
      await store.read(one, 0, 1);
      expect(await store.remove(one, WHENEVER)).toBe(true);
      expect(await store.remove(one, WHENEVER)).toBe(false);
      expect(await store.read(one, 0, 1)).toBeUndefined();
      expect(await store.size(one)).toBeUndefined();
      expect(await store.has(one)).toBe(false);
      expect(await store.has(other)).toBe(true);
    });

    test('lists what has been left alone since a moment, each once, and nothing else', async () => {
      expect(await listed(WHENEVER)).toEqual([]);
      const before = await putSome(30);
      const then = await moment();
      const after = await putSome(3);
      expect(await listed(then)).toEqual(before);
      expect(await listed(WHENEVER)).toEqual([...before, ...after].sort());
      expect(await listed(new Date(0))).toEqual([]);
    });

    test('may be changed while it is listed', async () => {
      const put = await putSome(20);
      const removed: string[] = [];
      for await (const name of store.leftAlone(WHENEVER)) {
        await putSome(1);
        if (await store.remove(name, WHENEVER)) removed.push(name);
      }
      expect(removed).toEqual(expect.arrayContaining([...put]));
    });

    test('removes only what has been left alone for long enough, and says whether it did', async () => {
      const [name = ''] = await putSome(1);
      const long = await moment();
      expect(await store.remove(name, new Date(0))).toBe(false);
      expect(await store.has(name)).toBe(true);
      expect(await store.remove(name, long)).toBe(true);
      expect(await store.remove(name, long)).toBe(false);
      expect(await store.retain(name)).toBe(false);
    });

    test('of keeping and removing at once one comes first: what was kept is there, what is gone was not kept', async () => {
      const put = await putSome(50);
      const then = await moment();
      const outcomes = await Promise.all(
        put.map(async (name, index) => {
          const steps = [() => store.retain(name), () => store.remove(name, then)];
          if (index % 2 === 1) steps.reverse();
          const done = await Promise.all(steps.map((step) => step()));
          return index % 2 === 1 ? done.toReversed() : done;
        }),
      );
      for (const [index, [isKept, isRemoved]] of outcomes.entries()) {
        expect(isKept, 'one of the two').not.toBe(isRemoved);
        expect(await store.has(put[index] ?? '')).toBe(isKept);
      }
    });

    test('it does not matter which of two processes keeps and which removes', async () => {
      const other = await place.open();
      const put = await putSome(races);
      const then = await moment();
      for (const [index, name] of put.entries()) {
        const steps = [() => other.retain(name), () => store.remove(name, then)];
        if (index % 2 === 1) steps.reverse();
        const outcomes = await Promise.all(steps.map((step) => step()));
        const [isKept, isRemoved] = index % 2 === 1 ? outcomes.toReversed() : outcomes;
        expect(isKept, 'one of the two').not.toBe(isRemoved);
        expect(await other.has(name)).toBe(isKept);
      }
      await other.close();
    });

    test('what is kept, or put again, has not been left alone', async () => {
      const bytes = [randomBytes(10), randomBytes(10)] as const;
      for (const each of bytes) await store.put([each]);
      const then = await moment();
      expect(await store.retain(sha256Of(bytes[0]))).toBe(true);
      await store.put([bytes[1]]);
      for (const each of bytes) expect(await store.remove(sha256Of(each), then)).toBe(false);
      expect(await listed(then)).toEqual([]);
    });

    describe('a blob whose stored bytes are not those of its name', () => {
      const bytes = randomBytes(200_000);
      const sha256 = sha256Of(bytes);
      /** With one bit of the byte at this place changed: size and time stay. */
      const changedAt = (place: number) => {
        const changed = Buffer.from(bytes);
        changed[place] = (changed[place] ?? 0) ^ 1;
        return changed;
      };

      const isRead = async (reader: BlobStore) =>
        bytes.equals((await reader.read(sha256, 0, 200_000)) ?? Buffer.alloc(0));

      const DAMAGES: readonly (readonly [string, Buffer])[] = [
        ['a bit in the midst', changedAt(100_000)],
        ['its last byte missing', bytes.subarray(0, 199_999)],
        ['a byte more', Buffer.concat([bytes, Buffer.of(0)])],
      ];

      test.each(DAMAGES)('gives none of them to who opens it: %s', async (_what, damaged) => {
        await store.put([bytes]);
        await place.lay(sha256, damaged);
        const other = await place.open();
        for (const [offset, length] of [
          [0, 1],
          [150_000, 10],
          [0, 200_000],
        ] as const)
          await expect(other.read(sha256, offset, length)).rejects.toThrow(ContentDamaged);
        await expect(other.size(sha256)).rejects.toThrow(`the ledger file ${sha256} in `);
        expect(await other.has(sha256)).toBe(true);
        await other.close();
      });

      test.each(DAMAGES)('is right again when the right ones are put: %s', async (_what, damaged) => {
        await store.put([bytes]);
        const other = await place.open();
        await place.lay(sha256, damaged);
        await expect(other.read(sha256, 0, 200_000)).rejects.toThrow(ContentDamaged);
        expect(await store.put(piecesOf(bytes, 30_000))).toBe(sha256);
        for (const reader of [store, other]) expect(await isRead(reader)).toBe(true);
        expect(await listed(WHENEVER)).toEqual([sha256]);
        await other.close();
      });

      test('is removed like any other', async () => {
        await store.put([bytes]);
        await place.lay(sha256, changedAt(7));
        expect(await store.remove(sha256, WHENEVER)).toBe(true);
        expect(await store.read(sha256, 0, 1)).toBeUndefined();
        expect(await store.size(sha256)).toBeUndefined();
      });
    });

    test('a blob that another process has removed and put again is read as before', async () => {
      const bytes = randomBytes(50_000);
      const sha256 = await store.put([bytes]);
      const other = await place.open();
      await store.read(sha256, 0, 10);
      expect(await other.remove(sha256, WHENEVER)).toBe(true);
      await other.put([bytes]);
      expect(await store.read(sha256, 0, 50_000)).toEqual(bytes);
      await other.close();
    });

    test('a file is read back under its name, and replaced as a whole', async () => {
      expect(await store.getFile('log/checkpoint')).toBeUndefined();
      for (const bytes of [randomBytes(1_000), Buffer.alloc(0), randomBytes(10)]) {
        await store.putFile('log/checkpoint', bytes);
        expect(Buffer.from((await store.getFile('log/checkpoint')) ?? 'absent')).toEqual(bytes);
      }
    });

    test('readers of a file that is being replaced get one of its contents, never half of one', async () => {
      const contents = [Buffer.alloc(200_000, 1), Buffer.alloc(300_000, 2)] as const;
      await store.putFile('file', contents[0]);
      const found = await Promise.all(
        Array.from({ length: 60 }, async (_, index) => {
          if (index % 3 === 0) await store.putFile('file', contents[index % 2 === 0 ? 0 : 1]);
          return Buffer.from((await store.getFile('file')) ?? []);
        }),
      );
      for (const bytes of found) expect(contents.some((content) => content.equals(bytes))).toBe(true);
    });

    test('lists the names of files by how they begin, in which folder they are or not', async () => {
      const names = ['a', 'a/b', 'a/b.c', 'a-b', 'ab/c', 'tile/0/x001/067', 'tile/0/001', 'tile/1/001', '0'];
      for (const each of names) await store.putFile(each, Buffer.from(each));
      await store.put([randomBytes(5)]);
      for (const prefix of ['', 'a', 'a/', 'a/b', 'tile/', 'tile/0', 'tile/0/x', 'tile/0/001', 'b', '../a'])
        expect([...(await allOf(store.listFiles(prefix)))].sort(), prefix).toEqual(
          names.filter((each) => each.startsWith(prefix)).sort(),
        );
      for (const each of names) expect(Buffer.from((await store.getFile(each)) ?? []).toString()).toBe(each);
    });

    test.each(NO_NAMES)('takes no file under the name %j', async (no) => {
      await expect(store.putFile(no, Buffer.of(1))).rejects.toThrow(TypeError);
      expect(await store.getFile(no)).toBeUndefined();
      expect(await allOf(store.listFiles(''))).toEqual([]);
    });

    test('files are no blobs: they are neither found by their hash nor left alone', async () => {
      const bytes = randomBytes(10);
      await store.putFile(sha256Of(bytes), bytes);
      expect(await store.has(sha256Of(bytes))).toBe(false);
      expect(await listed(WHENEVER)).toEqual([]);
    });

    test('opening it again finds everything, and since when it was left alone', async () => {
      const [kept, left] = [randomBytes(10), randomBytes(10)];
      for (const bytes of [kept, left]) await store.put([bytes]);
      await store.putFile('a/b', kept);
      const then = await moment();
      await store.retain(sha256Of(kept));
      await store.close();
      store = await place.open();
      expect(await whole(sha256Of(kept))).toEqual(kept);
      expect(Buffer.from((await store.getFile('a/b')) ?? [])).toEqual(kept);
      expect(await listed(then)).toEqual([sha256Of(left)]);
    });
  });
}
