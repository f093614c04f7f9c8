// Sales, quoted by the venue's own SDK as well.
import * as sdk from '@meteora-ag/cp-amm-sdk';
import { Connection } from '@solana/web3.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_SQRT_PRICE, MIN_SQRT_PRICE, marketCap } from '../../../../src/chain/venue/curve.ts';
import { maxSaleable, quoteSale, type SalePool } from '../../../../src/chain/venue/sale.ts';
import { decodePool } from '../../../../src/chain/venue/venue-accounts.ts';
import { recorded } from './recorded-accounts.ts';
import { big, bn } from './sdk-numbers.ts';

const U64_MAX = 2n ** 64n - 1n;

const amm = new sdk.CpAmm(new Connection('http://127.0.0.1:9'));
const { coder } = amm._program;
const traded = recorded('pool-after-sale').data;

function poolOf(data: Uint8Array) {
  const pool = decodePool(data);
  if (pool === undefined) throw new Error('the recorded account is no pool');
  return pool;
}

/** The SDK's answer for the account's bytes with these figures; undefined where it refuses. */
function quoteOfSdk(pool: SalePool, received: bigint) {
  const state: sdk.PoolState = coder.accounts.decode('pool', Buffer.from(traded));
  const changed = {
    ...state,
    liquidity: bn(pool.liquidity),
    sqrtPrice: bn(pool.sqrtPrice),
    sqrtMinPrice: bn(pool.sqrtMinPrice),
  };
  const fees = sdk.getFeeMode(sdk.CollectFeeMode.OnlyB, sdk.TradeDirection.AtoB, false);
  try {
    const quote = sdk.getSwapResultFromExactInput(
      changed,
      bn(received),
      fees,
      sdk.TradeDirection.AtoB,
      bn(2n ** 40n),
    );
    return { lamports: big(quote.outputAmount), sqrtPrice: big(quote.nextSqrtPrice) };
  } catch {
    return undefined;
  }
}

function magnitude(max: bigint): fc.Arbitrary<bigint> {
  const bits = max.toString(2).length;
  return fc
    .tuple(fc.bigInt({ min: 1n, max }), fc.integer({ min: 0, max: bits - 1 }))
    .map(([value, shift]) => value >> BigInt(shift))
    .map((value) => (value < 1n ? 1n : value));
}

const pools = fc
  .record({
    liquidity: magnitude(2n ** 120n),
    one: fc.bigInt({ min: MIN_SQRT_PRICE, max: MAX_SQRT_PRICE }).chain((most) => magnitude(most)),
    other: magnitude(MAX_SQRT_PRICE),
  })
  .map(({ liquidity, one, other }) => {
    const prices = [one, other].map((price) => (price < MIN_SQRT_PRICE ? MIN_SQRT_PRICE : price));
    const [sqrtMinPrice, sqrtPrice] = prices.sort((a, b) => (a < b ? -1 : 1)) as [bigint, bigint];
    return { tradingFee: poolOf(traded).tradingFee, liquidity, sqrtMinPrice, sqrtPrice };
  });

describe('a sale into a pool', () => {
  test('brings what the SDK says, to the lamport, and leaves the price that it says', () => {
    let quoted = 0;
    fc.assert(
      fc.property(pools, magnitude(U64_MAX), (pool, received) => {
        const quote = quoteSale(pool, received);
        const expected = quoteOfSdk(pool, received);
        if (quote !== undefined) quoted += 1;
        // The SDK alone quotes more lamports than an account can hold.
        const isPayable = expected === undefined || expected.lamports < (U64_MAX * 99n) / 100n;
        if (isPayable) expect(quote).toEqual(expected);
        else expect(quote === undefined || quote.lamports === expected.lamports).toBe(true);
      }),
      { numRuns: 500 },
    );
    expect(quoted).toBeGreaterThan(25);
  });

  test('is not quoted in a pool that nobody has bought from', () => {
    expect(quoteSale(poolOf(recorded('pool-at-start').data), 1_000_000_000n)).toBeUndefined();
    expect(maxSaleable(poolOf(recorded('pool-at-start').data), 500)).toBe(0n);
  });

  test('is not quoted for nothing', () => {
    expect(quoteSale(poolOf(traded), 0n)).toBeUndefined();
  });

  test('of the most that may be sold keeps the price above the cap, and one that is a little larger does not', () => {
    const supply = 1_000_000_000_000_000n;
    fc.assert(
      fc.property(pools, fc.integer({ min: 1, max: 9_999 }), (pool, cap) => {
        const most = maxSaleable(pool, cap);
        fc.pre(most > 1_000_000n && pool.sqrtPrice > 2n ** 40n);
        const kept = 10_000n - BigInt(cap);
        const quote = quoteSale(pool, most);
        if (quote === undefined) return;
        const square = pool.sqrtPrice * pool.sqrtPrice;
        expect(quote.sqrtPrice * quote.sqrtPrice * 10_000n).toBeGreaterThanOrEqual(square * kept);
        expect(marketCap(quote.sqrtPrice, supply)).toBeLessThanOrEqual(marketCap(pool.sqrtPrice, supply));
        const more = quoteSale(pool, most + most / 1_000n + 1n);
        if (more !== undefined) expect(more.sqrtPrice * more.sqrtPrice * 10_000n).toBeLessThan(square * kept);
      }),
    );
  });
});
