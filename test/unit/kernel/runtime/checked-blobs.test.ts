import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { ContentDamaged } from '../../../../src/kernel/ports/errors.ts';
import { createCheckedBlobs } from '../../../../src/kernel/runtime/checked-blobs.ts';

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Blobs in memory that count what is read of them. */
function counted(...contents: readonly Buffer[]) {
  const stored = new Map(contents.map((bytes) => [sha256Of(bytes), bytes]));
  const read = { bytes: 0, calls: 0, atOnce: 0, mostAtOnce: 0 };
  const checked = createCheckedBlobs({
    content: 'image',
    where: 'memory',
    async read(sha256, offset, length) {
      read.atOnce += 1;
      read.mostAtOnce = Math.max(read.mostAtOnce, read.atOnce);
      await Promise.resolve();
      read.atOnce -= 1;
      const bytes = stored.get(sha256)?.subarray(offset, offset + length);
      read.calls += 1;
      read.bytes += bytes?.length ?? 0;
      return bytes;
    },
    size: async (sha256) => stored.get(sha256)?.length,
  });
  return { checked, stored, read };
}

test('the first read of a blob costs the whole, every later one the blocks that it touches', async () => {
  const bytes = randomBytes(5_000_000);
  const sha256 = sha256Of(bytes);
  const { checked, read } = counted(bytes);
  expect(await checked.read(sha256, 1_000_000, 82)).toEqual(bytes.subarray(1_000_000, 1_000_082));
  expect(read.bytes).toBeLessThanOrEqual(5_000_000 + 2 * 16_384);
  const before = read.bytes;
  for (let offset = 0; offset < 4_900_000; offset += 49_000)
    expect(await checked.read(sha256, offset, 82)).toEqual(bytes.subarray(offset, offset + 82));
  expect(read.bytes - before).toBeLessThanOrEqual(100 * 2 * 16_384);
});

test('what was put is known without a read', async () => {
  const bytes = randomBytes(1_000_000);
  const { checked, stored, read } = counted();
  const sha256 = await checked.put([bytes.subarray(0, 5), bytes.subarray(5)], async (pieces) => {
    const all: Uint8Array[] = [];
    for await (const piece of pieces) all.push(piece);
    const whole = Buffer.concat(all);
    stored.set(sha256Of(whole), whole);
    return sha256Of(whole);
  });
  expect(await checked.read(sha256, 500_000, 10)).toEqual(bytes.subarray(500_000, 500_010));
  expect(read.bytes).toBe(16_384);
});

test('many readers of a blob that nobody has read compare it once, and of many blobs two at a time', async () => {
  const contents = Array.from({ length: 10 }, () => randomBytes(600_000));
  const { checked, read } = counted(...contents);
  await Promise.all(contents.flatMap((bytes) => [1, 2, 3, 4].map(() => checked.size(sha256Of(bytes)))));
  expect(read.bytes).toBe(10 * 600_000);
  expect(read.mostAtOnce).toBe(2);
});

const RIGHT = randomBytes(200_000);
/** With one bit of the byte at this place changed: size and time stay. */
const changedAt = (place: number) => {
  const changed = Buffer.from(RIGHT);
  changed[place] = (changed[place] ?? 0) ^ 1;
  return changed;
};

test.each([
  ['a bit of the first byte', changedAt(0)],
  ['a bit of the last byte', changedAt(199_999)],
  ['its last byte missing', RIGHT.subarray(0, 199_999)],
  ['nothing', Buffer.alloc(0)],
  ['as many bytes of something else', randomBytes(200_000)],
])('a blob that was right before gives right bytes or none: %s', async (_what, damaged) => {
  const sha256 = sha256Of(RIGHT);
  const { checked, stored } = counted(RIGHT);
  expect(RIGHT.equals((await checked.read(sha256, 0, 200_000)) ?? Buffer.alloc(0))).toBe(true);
  stored.set(sha256, damaged);
  let refused = 0;
  for (let offset = 0; offset < 200_000; offset += 5_000) {
    const read = await checked.read(sha256, offset, 5_000).catch((error: unknown) => error);
    if (read instanceof ContentDamaged) refused += 1;
    else expect(RIGHT.subarray(offset, offset + 5_000).equals(read as Uint8Array)).toBe(true);
  }
  expect(refused).toBeGreaterThan(0);
});

test('a blob that is damaged is reported each time it is read, and right again once the right bytes are there', async () => {
  const bytes = randomBytes(100_000);
  const sha256 = sha256Of(bytes);
  const { checked, stored } = counted(bytes);
  stored.set(sha256, randomBytes(100_000));
  const refused = await checked.read(sha256, 0, 1).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ContentDamaged);
  expect(refused).toMatchObject({
    what: 'image',
    file: sha256,
    message: `the image ${sha256} in memory is damaged: its bytes do not match its hash. Restore it from a backup`,
  });
  stored.set(sha256, bytes);
  expect(bytes.equals((await checked.read(sha256, 0, 100_000)) ?? Buffer.alloc(0))).toBe(true);
});

test('the size of a blob that was right is compared with what is stored now, whenever it is asked for', async () => {
  const bytes = randomBytes(100_000);
  const sha256 = sha256Of(bytes);
  const { checked, stored } = counted(bytes);
  expect(await checked.size(sha256)).toBe(100_000);
  stored.set(sha256, bytes.subarray(0, 99_999));
  await expect(checked.size(sha256)).rejects.toThrow(ContentDamaged);
  stored.delete(sha256);
  expect(await checked.size(sha256)).toBeUndefined();
  stored.set(sha256, bytes);
  expect(await checked.size(sha256)).toBe(100_000);
});

test('a few bytes keep no more than themselves in memory', async () => {
  const bytes = randomBytes(100_000);
  const { checked } = counted(bytes);
  expect((await checked.read(sha256Of(bytes), 50_000, 10))?.buffer.byteLength).toBeLessThan(100);
});

test('a blob that is right as a whole and wrong in every part that is asked for is damaged, and not missing', async () => {
  const bytes = randomBytes(100_000);
  const checked = createCheckedBlobs({
    content: 'image',
    where: 'memory',
    async read(_sha256, offset, length) {
      const part = bytes.subarray(offset, offset + length);
      return length > bytes.length ? part : part.map((byte) => byte ^ 1);
    },
    size: async () => bytes.length,
  });
  await expect(checked.read(sha256Of(bytes), 50_000, 10)).rejects.toThrow(ContentDamaged);
});
