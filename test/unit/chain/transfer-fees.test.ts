// What the two rates in a mint mean in an epoch.
import { describe, expect, test } from 'vitest';
import { ratesAt, sameRates } from '../../../src/chain/transfer-fees.ts';

const maximumFee = 2n ** 64n - 1n;
const older = { epoch: 0n, basisPoints: 350, maximumFee };
const newer = { epoch: 812n, basisPoints: 7, maximumFee };
const next = { basisPoints: 7, maximum: null, fromEpoch: '812' };
const pending = { basisPoints: 350, maximum: null, pending: next };
const valid = { basisPoints: 7, maximum: null, pending: null };

describe('the tax of a mint', () => {
  test('is the older rate before the epoch of the newer one, which is to come', () => {
    expect(ratesAt({ older, newer }, 810n)).toEqual(pending);
    expect(ratesAt({ older, newer }, 811n)).toEqual(pending);
  });

  test('is the newer rate from its epoch on', () => {
    expect(ratesAt({ older, newer }, 812n)).toEqual(valid);
    expect(ratesAt({ older, newer }, 2n ** 64n - 1n)).toEqual(valid);
  });

  test('is capped where the maximum of one transfer is below the highest number', () => {
    const capped = { ...newer, maximumFee: maximumFee - 1n };
    expect(ratesAt({ older, newer: capped }, 811n)).toEqual({
      ...pending,
      pending: { ...next, maximum: '18446744073709551614' },
    });
    expect(ratesAt({ older, newer: { ...newer, maximumFee: 0n } }, 812n)).toEqual({ ...valid, maximum: '0' });
  });

  test('is the same only if both what holds and what is to come are', () => {
    expect(sameRates(pending, structuredClone(pending))).toBe(true);
    expect(sameRates(valid, structuredClone(valid))).toBe(true);
    expect(sameRates(pending, valid)).toBe(false);
    expect(sameRates(valid, { ...valid, basisPoints: 8 })).toBe(false);
    expect(sameRates(valid, { ...valid, maximum: '8' })).toBe(false);
    expect(sameRates(pending, { ...pending, pending: { ...next, maximum: '8' } })).toBe(false);
    expect(sameRates(pending, { ...pending, pending: { ...next, basisPoints: 8 } })).toBe(false);
    expect(sameRates(pending, { ...pending, pending: { ...next, fromEpoch: '813' } })).toBe(false);
  });
});
