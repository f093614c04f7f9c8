/** Traders who push a pool's price down around the engine's sale, against the engine's own decisions. */
import type { TransferFee } from 'levy-solana-wire';
import { dividedUp } from '../../src/chain/integer-math.ts';
import { maxSaleable, quoteSale, type SalePool } from '../../src/chain/venue/sale.ts';
import { arriving, decideSale } from '../../src/distribution/selling/decide-sale.ts';
import { movedWithin } from '../../src/distribution/selling/impact-budget.ts';
import {
  type PriceSample,
  priceReference,
  SAMPLE_PAUSE,
  withSample,
} from '../../src/distribution/selling/price-reference.ts';

const U64_MAX = 2n ** 64n - 1n;
const BILLION = 1_000_000_000n;
const MINUTE = 60_000;
const SALE_LIMITS = {
  maxImpactBasisPoints: 500,
  slippageBasisPoints: 100,
  maxDiscountBasisPoints: 500,
};

export const taxAt = (basisPoints: number): TransferFee => ({ epoch: 0n, basisPoints, maximumFee: U64_MAX });

export interface Strategy {
  /** Percent of the price. */
  readonly down: number;
  readonly minutes: number;
  /** Basis points. */
  readonly tax: number;
}

/** Where the trader and the engine trade. Lamports and base units; the tax is taken of what is sent. */
export interface Market {
  readonly tax: TransferFee;
  pool(): SalePool;
  /** What the trader gets for so many that he sends. */
  sell(sent: bigint): Promise<bigint>;
  /** What the trader pays so that so many arrive. */
  buy(arriving: bigint): Promise<bigint>;
  /** What the engine gets; undefined if the sale was refused. */
  engineSells(sale: { readonly amount: bigint; readonly minimum: bigint }): Promise<bigint | undefined>;
}

export type Decide = (
  pool: SalePool,
  tax: TransferFee,
  at: {
    readonly now: number;
    readonly samples: readonly PriceSample[];
    readonly impacts: Parameters<typeof movedWithin>[0];
  },
) => { readonly amount: bigint; readonly impact: bigint; readonly minimum: bigint } | undefined;

/** More than the budget leaves. */
const stockIn = (pool: SalePool) => maxSaleable(pool, 2_000);

/** As the engine decides. */
export const asNow: Decide = (pool, tax, { now, samples, impacts }) => {
  const bounds = {
    moved: movedWithin(impacts, now),
    reference: priceReference(samples, now) ?? ('unknown' as const),
  };
  const sale = decideSale(pool, { tax, wanted: stockIn(pool), bounds }, SALE_LIMITS);
  return 'reason' in sale ? undefined : sale;
};

/** By the budget alone. */
export const withoutFloor: Decide = (pool, tax, { now, impacts }) => {
  const bounds = { moved: movedWithin(impacts, now), reference: 'unneeded' as const };
  const sale = decideSale(pool, { tax, wanted: stockIn(pool), bounds }, SALE_LIMITS);
  return 'reason' in sale ? undefined : sale;
};

/** As it decided before: 5 % of the price of the moment, 99 % of its quote, whatever that is; once. */
export const asBefore: Decide = (pool, tax, { impacts }) => {
  if (impacts.length > 0) return undefined;
  const amount = largestToSend(tax, stockIn(pool), maxSaleable(pool, SALE_LIMITS.maxImpactBasisPoints));
  const expected = quoteSale(pool, arriving(tax, amount))?.lamports ?? 0n;
  return { amount, impact: 0n, minimum: (expected * 99n) / 100n };
};

interface EngineSale {
  /** Minutes after the trader began. */
  readonly minute: number;
  readonly got: bigint;
  /** What the pool would have paid at the price before he began. */
  readonly steady: bigint;
  /** And at the engine's reference. */
  readonly fair: bigint;
}

export interface Outcome {
  /** Lamports that the trader has more than before, with as many tokens. */
  readonly earned: bigint;
  /** Lamports that moved when he began. */
  readonly moved: bigint;
  readonly sales: readonly EngineSale[];
}

/**
 * The price was steady for an hour. The trader sells, and buys as much back after some minutes. `saleAt`: the minute of the
 * engine's look after his sale; it looks again each minute while it may, and sells as much as it may.
 */
export async function played(
  market: Market,
  { down, minutes }: Strategy,
  saleAt: number,
  decide: Decide,
): Promise<Outcome> {
  const { tax } = market;
  const start = 60 * MINUTE;
  const steadyPool = market.pool();
  let samples: readonly PriceSample[] = [];
  const impacts: Parameters<typeof movedWithin>[0][number][] = [];
  const sent = largestToSend(tax, U64_MAX, maxSaleable(steadyPool, down * 100));
  let earned = 0n;
  const sales: EngineSale[] = [];
  for (let at = 0; at <= start + minutes * MINUTE; at += SAMPLE_PAUSE) {
    samples = withSample(samples, { at, slot: BigInt(at), sqrtPrice: market.pool().sqrtPrice });
    if (at === start) earned += await market.sell(sent);
    // Right before he buys back at the latest.
    const isLook = at >= start + Math.min(saleAt, minutes) * MINUTE && (at - start) % MINUTE === 0;
    const pool = market.pool();
    const decided = isLook ? decide(pool, tax, { now: at, samples, impacts }) : undefined;
    if (decided === undefined) continue;
    const got = await market.engineSells(decided);
    if (got === undefined) continue;
    impacts.push({ number: impacts.length, at: new Date(at).toISOString(), impact: Number(decided.impact) });
    const received = arriving(tax, decided.amount);
    const worthAt = (sqrtPrice: bigint) => quoteSale({ ...pool, sqrtPrice }, received)?.lamports ?? 0n;
    sales.push({
      minute: (at - start) / MINUTE,
      got,
      steady: worthAt(steadyPool.sqrtPrice),
      fair: worthAt(priceReference(samples, at)?.sqrtPrice ?? 0n),
    });
  }
  const moved = earned;
  // Of what he sent the tax is gone: he buys back all of it.
  return { earned: earned - (await market.buy(sent)), moved, sales };
}

/** What so many lamports buy: what arrives after the tax, and the price that it leaves. The fee comes out of the lamports. */
function boughtFor(pool: SalePool, lamports: bigint, tax: TransferFee) {
  const paid = lamports - dividedUp(lamports * pool.tradingFee, BILLION);
  const sqrtPrice = pool.sqrtPrice + (paid << 128n) / pool.liquidity;
  const tokens = (pool.liquidity * (sqrtPrice - pool.sqrtPrice)) / (sqrtPrice * pool.sqrtPrice);
  return { tokens: arriving(tax, tokens), sqrtPrice };
}

/** The fewest lamports for which so many tokens arrive. */
function lamportsToBuy(pool: SalePool, tokens: bigint, tax: TransferFee): bigint {
  let [tooFew, enough] = [0n, 1n];
  while (boughtFor(pool, enough, tax).tokens < tokens) enough *= 2n;
  while (enough - tooFew > 1n) {
    const middle = (tooFew + enough) >> 1n;
    if (boughtFor(pool, middle, tax).tokens >= tokens) enough = middle;
    else tooFew = middle;
  }
  return enough;
}

/** The pool's own arithmetic, without a chain. */
export function computedMarket(steady: SalePool, tax: TransferFee): Market {
  let pool = steady;
  const sell = (sent: bigint) => {
    const sold = quoteSale(pool, arriving(tax, sent));
    if (sold !== undefined) pool = { ...pool, sqrtPrice: sold.sqrtPrice };
    return sold?.lamports;
  };
  return {
    tax,
    pool: () => pool,
    async sell(sent) {
      const lamports = sell(sent);
      if (lamports === undefined) throw new Error('the pool has not so much');
      return lamports;
    },
    async buy(tokens) {
      const lamports = lamportsToBuy(pool, tokens, tax);
      pool = { ...pool, sqrtPrice: boughtFor(pool, lamports, tax).sqrtPrice };
      return lamports;
    },
    async engineSells({ amount, minimum }) {
      const brought = quoteSale(pool, arriving(tax, amount))?.lamports;
      return brought === undefined || brought < minimum ? undefined : sell(amount);
    },
  };
}

/** The largest amount, up to `wanted`, of which at most `most` arrives. */
function largestToSend(tax: TransferFee, wanted: bigint, most: bigint): bigint {
  if (arriving(tax, wanted) <= most) return wanted;
  // The received amount never falls as more is sent: the tax grows by at most one per base unit.
  let [fits, tooMuch] = [0n, wanted];
  while (tooMuch - fits > 1n) {
    const middle = (fits + tooMuch) >> 1n;
    if (arriving(tax, middle) <= most) fits = middle;
    else tooMuch = middle;
  }
  return fits;
}
