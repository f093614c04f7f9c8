// Traders who push a pool's price down around the engine's sale, on the pool's own arithmetic, with the engine's own decisions.
import { describe, expect, test } from 'vitest';
import { mostSaleable, quoteSale, type SalePool } from '../../../../src/chain/venue/sale.ts';
import { dividedUp } from '../../../../src/chain/whole-numbers.ts';
import { decideSale } from '../../../../src/distribution/selling/decide-sale.ts';
import { movedWithin, type RecordedImpact } from '../../../../src/distribution/selling/impact-budget.ts';
import {
  type PriceSample,
  priceReference,
  SAMPLE_PAUSE,
  withSample,
} from '../../../../src/distribution/selling/price-reference.ts';
import { arriving, largestToSend } from '../../../../src/distribution/selling/taxed-amounts.ts';

const U64_MAX = 2n ** 64n - 1n;
const BILLION = 1_000_000_000n;
const MINUTE = 60_000;
const LIMITS = { maxImpactBasisPoints: 500, slippageBasisPoints: 100, maxDiscountBasisPoints: 500 };
/** Of 64 SOL at its price. */
const POOL: SalePool = {
  tradingFee: 10_000_000n,
  liquidity: 1_000_000_000n << 74n,
  sqrtMinPrice: 1n << 56n,
  sqrtPrice: 1n << 60n,
};
/** More than the budget leaves. */
const STOCK = mostSaleable(POOL, 2_000);

const taxOf = (basisPoints: number) => ({ epoch: 0n, basisPoints, maximumFee: U64_MAX });
type Tax = ReturnType<typeof taxOf>;

/** Buys with so many lamports: what arrives after the tax, and the price that it leaves. The fee comes out of the lamports. */
function bought(pool: SalePool, lamports: bigint, tax: Tax) {
  const paid = lamports - dividedUp(lamports * pool.tradingFee, BILLION);
  const sqrtPrice = pool.sqrtPrice + (paid << 128n) / pool.liquidity;
  const tokens = (pool.liquidity * (sqrtPrice - pool.sqrtPrice)) / (sqrtPrice * pool.sqrtPrice);
  return { tokens: arriving(tax, tokens), sqrtPrice };
}

/** The fewest lamports that buy back so many tokens, and what they leave. */
function boughtBack(pool: SalePool, tokens: bigint, tax: Tax): bigint {
  let [tooFew, enough] = [0n, 1n];
  while (bought(pool, enough, tax).tokens < tokens) enough *= 2n;
  while (enough - tooFew > 1n) {
    const middle = (tooFew + enough) >> 1n;
    if (bought(pool, middle, tax).tokens >= tokens) enough = middle;
    else tooFew = middle;
  }
  return enough;
}

interface Strategy {
  readonly down: number;
  readonly minutes: number;
  readonly tax: number;
}

interface Outcome {
  /** Lamports that the trader has more than before, with as many tokens. */
  readonly earned: bigint;
  /** Lamports that holders got, and what the pool would have paid at the price before: undefined without a sale. */
  readonly sale: { readonly got: bigint; readonly fair: bigint } | undefined;
}

type Decide = (
  pool: SalePool,
  tax: Tax,
  at: {
    readonly now: number;
    readonly samples: readonly PriceSample[];
    readonly impacts: readonly RecordedImpact[];
  },
) => { readonly amount: bigint; readonly impact: bigint; readonly minimum: bigint } | undefined;

/** As the engine decides. */
const asNow: Decide = (pool, tax, { now, samples, impacts }) => {
  const bounds = {
    moved: movedWithin(impacts, now),
    reference: priceReference(samples, now) ?? ('unknown' as const),
  };
  const sale = decideSale(pool, { tax, wanted: STOCK, bounds }, LIMITS);
  return sale.outcome === 'sell' ? sale : undefined;
};

/** As it decided before: 5 % of the price of the moment, 99 % of its quote, whatever that is. */
const asBefore: Decide = (pool, tax) => {
  const amount = largestToSend(tax, STOCK, mostSaleable(pool, LIMITS.maxImpactBasisPoints));
  const expected = quoteSale(pool, arriving(tax, amount))?.lamports ?? 0n;
  return { amount, impact: 0n, minimum: (expected * 99n) / 100n };
};

/**
 * The price was steady for an hour. The trader sells, and buys as much back after some minutes. `saleAt`: the minute of the
 * engine's look after his sale; it looks again each minute while it may, and sells as much as it may.
 */
function played({ down, minutes, tax: basisPoints }: Strategy, saleAt: number, decide: Decide): Outcome {
  const tax = taxOf(basisPoints);
  const start = 60 * MINUTE;
  let pool = POOL;
  let samples: readonly PriceSample[] = [];
  const impacts: RecordedImpact[] = [];
  const sent = largestToSend(tax, U64_MAX, mostSaleable(POOL, down * 100));
  let earned = 0n;
  let sale: Outcome['sale'];
  for (let at = 0; at <= start + minutes * MINUTE; at += SAMPLE_PAUSE) {
    samples = withSample(samples, { at, slot: BigInt(at), sqrtPrice: pool.sqrtPrice });
    if (at === start) {
      const sold = quoteSale(pool, arriving(tax, sent));
      if (sold === undefined) throw new Error('the pool has not so much');
      earned += sold.lamports;
      pool = { ...pool, sqrtPrice: sold.sqrtPrice };
    }
    // Right before he buys back at the latest.
    const isLook = at >= start + Math.min(saleAt, minutes) * MINUTE && (at - start) % MINUTE === 0;
    const decided = isLook ? decide(pool, tax, { now: at, samples, impacts }) : undefined;
    if (decided === undefined || (decide === asBefore && sale !== undefined)) continue;
    const received = arriving(tax, decided.amount);
    const brought = quoteSale(pool, received);
    if (brought === undefined || brought.lamports < decided.minimum) continue;
    impacts.push({ number: impacts.length, at: new Date(at).toISOString(), impact: Number(decided.impact) });
    const reference = decide === asNow ? priceReference(samples, at)?.sqrtPrice : POOL.sqrtPrice;
    const fair = quoteSale({ ...pool, sqrtPrice: reference ?? 0n }, received)?.lamports ?? 0n;
    sale ??= { got: brought.lamports, fair };
    pool = { ...pool, sqrtPrice: brought.sqrtPrice };
  }
  // Of what he sent the tax is gone: he buys back all of it.
  return { earned: earned - boughtBack(pool, sent, tax), sale };
}

const strategies: readonly Strategy[] = [1, 5, 15].flatMap((minutes) =>
  [5, 15, 50].flatMap((down) => [0, 20, 100, 500].map((tax) => ({ down, minutes, tax }))),
);
/** Knowing the moment he sells right before it; not knowing it, the look comes whenever it comes, or never while he holds. */
const moments = ({ minutes }: Strategy) => [0, minutes / 2, minutes];

describe('a trader who sells before the engine and buys back after it', () => {
  test.each(
    strategies,
  )('earns nothing: down $down %, for $minutes min, tax $tax basis points', (strategy) => {
    for (const saleAt of moments(strategy)) {
      const { earned, sale } = played(strategy, saleAt, asNow);
      expect(earned).toBeLessThan(0n);
      if (sale !== undefined) expect(sale.got * 100n).toBeGreaterThanOrEqual(sale.fair * 95n);
    }
  });

  test('meets a sale only where the price is little under the reference', () => {
    const met = (down: number, minutes: number) =>
      played({ down, minutes, tax: 100 }, 0, asNow).sale !== undefined;
    expect([1, 3, 4].map((down) => met(down, 15))).toEqual([true, true, true]);
    expect([7, 15, 50].map((down) => met(down, 15))).toEqual([false, false, false]);
    for (const down of [1, 2, 3, 4])
      for (const tax of [0, 20, 100, 500])
        expect(played({ down, minutes: 5, tax }, 0, asNow).earned).toBeLessThan(0n);
  });

  test('earns nothing by the budget alone, had the sale no floor', () => {
    const withoutFloor: Decide = (pool, tax, { now, impacts }) => {
      const bounds = { moved: movedWithin(impacts, now), reference: 'unneeded' as const };
      const sale = decideSale(pool, { tax, wanted: STOCK, bounds }, LIMITS);
      return sale.outcome === 'sell' ? sale : undefined;
    };
    for (const strategy of strategies)
      for (const saleAt of moments(strategy)) {
        const { earned, sale } = played(strategy, saleAt, withoutFloor);
        expect(sale).toBeDefined();
        expect(earned).toBeLessThan(0n);
      }
  });

  test('earned by the rule that was before, and holders got two thirds', () => {
    const { earned, sale } = played({ down: 50, minutes: 1, tax: 20 }, 0, asBefore);
    expect(earned).toBeGreaterThan(0n);
    expect((sale?.got ?? 0n) * 100n).toBeLessThan((sale?.fair ?? 0n) * 65n);
    const earning = strategies.filter((strategy) => played(strategy, 0, asBefore).earned > 0n);
    // Those with a tax under 2.5 %: fee and tax of both ways are less than the 5 % that the sale moved.
    expect(new Set(earning.map(({ tax }) => tax))).toEqual(new Set([0, 20, 100]));
  });
});
