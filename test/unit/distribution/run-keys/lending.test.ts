// What the key of a run is lent, and when it needs more.
import { describe, expect, test } from 'vitest';
import {
  isDry,
  lamportsToLend,
  loansFor,
  paymentsToLend,
} from '../../../../src/distribution/run-keys/lending.ts';

const rent = 890_880n;
const fee = 5_000n;

describe('a key', () => {
  test('is lent for the payments that are left and some more, and never for more than a hundred', () => {
    expect(paymentsToLend(1)).toBe(6);
    expect(paymentsToLend(95)).toBe(100);
    expect(paymentsToLend(16_950)).toBe(100);
    expect(loansFor(100)).toBe(1);
    expect(loansFor(16_950)).toBe(170);
  });

  test('is filled up with its rent, the fees and that of emptying it', () => {
    expect(lamportsToLend({ held: 0n, rent, fee }, 6)).toBe(rent + 7n * fee);
  });

  test('is lent less where a stranger gave it lamports, and nothing where that was enough', () => {
    expect(lamportsToLend({ held: 100_000n, rent, fee }, 6)).toBe(rent + 7n * fee - 100_000n);
    expect(lamportsToLend({ held: 5_000_000_000n, rent, fee }, 6)).toBe(0n);
  });

  test('is lent more where rents have risen', () => {
    expect(lamportsToLend({ held: rent, rent: 2n * rent, fee }, 6)).toBe(rent + 7n * fee);
  });

  test('is dry when the next fee leaves less than its rent', () => {
    expect(isDry({ held: rent + fee, rent, fee })).toBe(false);
    expect(isDry({ held: rent + fee - 1n, rent, fee })).toBe(true);
    expect(isDry({ held: 0n, rent, fee })).toBe(true);
  });

  test('that was lent for a payment can make it at six times the price that was reckoned with', () => {
    const held = lamportsToLend({ held: 0n, rent, fee }, paymentsToLend(1));
    expect(isDry({ held, rent, fee: 6n * fee })).toBe(false);
  });
});
