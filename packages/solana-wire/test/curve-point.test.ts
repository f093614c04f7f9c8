// Whether 32 bytes are a point of the curve is answered as the library for the curve answers it that the chain agrees with.
import { createHash } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { expect, test } from 'vitest';
import { isOnCurve } from '../src/index.ts';

const PRIME = 2n ** 255n - 19n;

/** As validators read a point: ZIP 215 takes every encoding of a y. */
function isPoint(bytes: Uint8Array): boolean {
  try {
    ed25519.Point.fromHex(bytes, true);
    return true;
  } catch {
    return false;
  }
}

function encoded(y: bigint, sign: 0 | 1): Uint8Array {
  const bytes = Buffer.from((y | (BigInt(sign) << 255n)).toString(16).padStart(64, '0'), 'hex');
  return new Uint8Array(bytes.reverse());
}

test('answers as the library of the curve for thousands of hashes', () => {
  const hashes = Array.from({ length: 3_000 }, (_, number) =>
    createHash('sha256').update(`point ${number}`).digest(),
  );
  const answers = hashes.map(isOnCurve);
  expect(answers).toEqual(hashes.map(isPoint));
  expect(new Set(answers).size).toBe(2);
});

test.each([0, 1] as const)('answers so for the smallest and the largest y, with the sign %d', (sign) => {
  const smallest = Array.from({ length: 300 }, (_, y) => BigInt(y));
  // Beyond the prime the same y is meant as below it.
  const ys = [
    ...smallest,
    ...smallest.map((y) => PRIME - 1n - y),
    ...smallest.slice(0, 19).map((y) => PRIME + y),
  ];
  const points = ys.map((y) => encoded(y, sign));
  expect(points.map(isOnCurve)).toEqual(points.map(isPoint));
});

test('takes nothing but 32 bytes for a point', () => {
  const key = ed25519.getPublicKey(new Uint8Array(32).fill(7));
  expect(isOnCurve(key)).toBe(true);
  expect(isOnCurve(key.subarray(1))).toBe(false);
  expect(isOnCurve(new Uint8Array([...key, 0]))).toBe(false);
});
