// Accounts are numbered as they come, and known again by their whole address.
import { expect, test } from 'vitest';
import { createAccountPlaces } from '../../../../src/distribution/collecting/account-places.ts';

const addressOf = (number: number) => {
  const bytes = Buffer.alloc(32, 9);
  bytes.writeUInt32LE(number, 4 * (number % 8));
  return bytes;
};
const COUNT = 9_000;

test('each address has one place, also after all tables have grown', () => {
  const places = createAccountPlaces();
  const numbers = Array.from({ length: COUNT }, (_, number) => number);
  expect(numbers.map((number) => places.placeOf(addressOf(number)))).toEqual(numbers);
  expect(places.count).toBe(COUNT);
  expect(numbers.map((number) => places.placeOf(addressOf(number)))).toEqual(numbers);
  expect(places.count).toBe(COUNT);
  const isKept = (number: number) => Buffer.from(places.addressAt(number)).equals(addressOf(number));
  expect(numbers.every(isKept)).toBe(true);
});

test('there is nothing behind the last, and nothing is added once it is sealed', () => {
  const places = createAccountPlaces();
  places.placeOf(addressOf(1));
  expect(() => places.addressAt(1)).toThrow('there is no account at 1');
  places.seal();
  expect(Buffer.from(places.addressAt(0))).toEqual(addressOf(1));
  expect(() => places.placeOf(addressOf(1))).toThrow('the places are sealed');
});
