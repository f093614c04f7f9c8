// Accounts are numbered as they come, and known again by their whole address.
import { expect, test } from 'vitest';
import { createAccountPlaces, secretHash } from '../../../../src/distribution/collecting/account-places.ts';

const addressOf = (number: number) => {
  const bytes = Buffer.alloc(32, 9);
  bytes.writeUInt32LE(number, 4 * (number % 8));
  return bytes;
};
const addresses = (count: number) => Array.from({ length: count }, (_, number) => addressOf(number));
const numbered = (count: number) => Array.from({ length: count }, (_, number) => number);
/** One that differs from the address in one byte. */
const changed = (address: Uint8Array, at: number) => {
  const other = Buffer.from(address);
  other[at] = (other[at] ?? 0) ^ 0x40;
  return other;
};

test('each address has one place, in the order in which they come', () => {
  const places = createAccountPlaces();
  const all = addresses(300);
  expect(all.map((address) => places.placeOf(address))).toEqual(numbered(300));
  expect(all.map((address) => places.placeOf(address))).toEqual(numbered(300));
  expect(places.count).toBe(300);
});

test.each([
  ['at the first slot', 0],
  ['at the last slot, from where the search goes on at the first', 0xffff_ffff],
])('addresses that share a slot are told apart, also after the table has grown: %s', (_where, hash) => {
  const places = createAccountPlaces(() => hash);
  // The table grows with the 12th and the 24th.
  const all = addresses(26);
  expect(all.map((address) => places.placeOf(address))).toEqual(numbered(26));
  expect(all.map((address) => places.placeOf(address))).toEqual(numbered(26));
  expect(places.count).toBe(26);
});

test('an address is another one if any of its bytes is', () => {
  const places = createAccountPlaces(() => 7);
  const one = addressOf(1);
  const others = Array.from({ length: 32 }, (_, at) => changed(one, at));
  expect([one, ...others].map((address) => places.placeOf(address))).toEqual(numbered(33));
  expect(others.map((_, at) => Buffer.from(places.addressAt(at + 1)))).toEqual(others);
});

test('what is kept of an address is its own, whatever becomes of the bytes that were given', () => {
  const places = createAccountPlaces();
  const given = addressOf(1);
  places.placeOf(given);
  given.fill(0);
  expect(Buffer.from(places.addressAt(0))).toEqual(addressOf(1));
});

test('addresses stay where they are when the next block of 4,096 begins', () => {
  const places = createAccountPlaces((address) => Buffer.from(address).readUInt32LE(0));
  const count = 4_100;
  const all = Array.from({ length: count }, (_, number) => {
    const bytes = Buffer.alloc(32, 9);
    bytes.writeUInt32LE(number, 0);
    return bytes;
  });
  for (const address of all) places.placeOf(address);
  for (const place of [0, 1, 4_094, 4_095, 4_096, 4_097, 4_099])
    expect(Buffer.from(places.addressAt(place))).toEqual(all[place]);
  expect(places.placeOf(addressOf(5))).toBe(count);
});

test('addresses share blocks of memory: a million of them take 32 MB', () => {
  const places = createAccountPlaces();
  let [taken, last] = [0, process.memoryUsage().arrayBuffers];
  for (const address of addresses(200)) {
    places.placeOf(address);
    const now = process.memoryUsage().arrayBuffers;
    // What is let go meanwhile hides nothing of what is taken.
    taken += Math.max(0, now - last);
    last = now;
  }
  expect(taken).toBeLessThan(2 ** 20);
});

test('there is nothing behind the last, and nothing is added once it is sealed', () => {
  const places = createAccountPlaces();
  places.placeOf(addressOf(1));
  expect(() => places.addressAt(1)).toThrow('there is no account at 1');
  expect(() => createAccountPlaces().addressAt(0)).toThrow('there is no account at 0');
  places.seal();
  expect(Buffer.from(places.addressAt(0))).toEqual(addressOf(1));
  expect(() => places.placeOf(addressOf(1))).toThrow('the places are sealed');
});

test('each byte of an address, and the secret seed, decide about its slot', () => {
  const one = addressOf(1);
  const hashOf = secretHash(Uint32Array.of(1));
  const others = Array.from({ length: 32 }, (_, at) => changed(one, at));
  const hashes = [...[one, ...others].map(hashOf), secretHash()(one), secretHash()(one)];
  expect(new Set(hashes).size).toBe(hashes.length);
  expect(hashOf(addressOf(1))).toBe(hashes[0]);
  for (const hash of hashes) expect([hash >>> 0, Number.isInteger(hash)]).toEqual([hash, true]);
});

test('addresses that differ little are spread over all shards, and within them', () => {
  const hashes = addresses(2_048).map(secretHash(Uint32Array.of(1)));
  // Sixteen values of the bits that choose the shard, of those that choose the slot, and of the highest.
  for (const shift of [0, 4, 8, 12, 16, 20, 24, 28]) {
    const found = new Array<number>(16).fill(0);
    for (const hash of hashes) found[(hash >>> shift) & 15] = (found[(hash >>> shift) & 15] ?? 0) + 1;
    expect(Math.min(...found)).toBeGreaterThan(80);
    expect(Math.max(...found)).toBeLessThan(185);
  }
});
