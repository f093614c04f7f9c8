/** The venue of our launches, Meteora DAMM v2: sells into the pool that the token's launch made, and into no other. */
import type { Instruction } from 'levy-solana-wire';
import { poolAddresses } from '../../chain/venue/addresses.ts';
import { type IssuedLaunch, judgePool } from '../../chain/venue/judge-launch.ts';
import { decodeSalePool, isPaused, type SalePool } from '../../chain/venue/sale.ts';
import { sellTokens } from '../../chain/venue/venue-instructions.ts';
import type { Chain } from '../../kernel/ports/chain.ts';
import type { QuoteRefusal } from '../../streams/unsold-reasons.ts';
import { decideSale, type SaleLimits } from './decide-sale.ts';
import type { Sale, SaleAccounts, SaleBounds, SaleQuote, SaleVenue, TokenOnSale } from './sale-venue.ts';

export interface MeteoraOptions extends SaleLimits {
  readonly chain: Pick<Chain, 'accounts'>;
  /** Whether the venue's program is on this chain. */
  readonly isThere: () => Promise<boolean>;
  /** The token's launch, once it is final; undefined if it has none. */
  readonly launchOf: (mint: string) => Promise<IssuedLaunch | undefined>;
}

export function createMeteora(options: MeteoraOptions): SaleVenue {
  const { chain, isThere, launchOf } = options;
  return {
    name: 'meteora',
    price: 'market',

    async quote(token, wanted, bounds) {
      const launch = await launchOf(token.mint);
      if (launch === undefined) return refused('no-market');
      if (!(await isThere())) return refused('venue-missing');
      const [account] = await chain.accounts([launch.poolAddress], 'confirmed');
      // Anybody with a token can make a pool at this address: only the launch's own counts.
      if (account === undefined || judgePool(launch, account).kind !== 'landed')
        return refused('pool-not-ours');
      if (isPaused(account.data)) return refused('pool-paused');
      const pool = decodeSalePool(account.data);
      if (pool === undefined) return refused('pool-unsuitable');
      return quoteIn(pool, launch.poolAddress, token, { wanted, bounds, limits: options });
    },

    signers: () => [],
  };
}

export function sellToPool(
  { mint, market, amount, minimum }: Sale,
  { wallet, tokens, till }: SaleAccounts,
): readonly Instruction[] {
  return [
    sellTokens({
      seller: wallet,
      mint,
      vaults: poolAddresses(mint, market),
      tokenAccount: tokens,
      solAccount: till,
      gross: amount,
      minimum,
    }),
  ];
}

function quoteIn(
  pool: SalePool,
  market: string,
  { mint, decimals, tax }: TokenOnSale,
  {
    wanted,
    bounds,
    limits,
  }: { readonly wanted: bigint; readonly bounds: SaleBounds; readonly limits: SaleLimits },
): SaleQuote {
  const decision = decideSale(pool, { tax, wanted, bounds }, limits);
  if (decision.outcome === 'refused') return decision;
  const { amount, received, expected, minimum, floor, impact, budget } = decision;
  const { reference } = bounds;
  return {
    outcome: 'sale',
    sale: { venue: 'meteora', mint, decimals, market, amount, minimum },
    expected,
    basis: {
      wanted: wanted.toString(),
      expected: expected.toString(),
      received: received.toString(),
      pool: {
        sqrtPrice: pool.sqrtPrice.toString(),
        liquidity: pool.liquidity.toString(),
        tradingFee: pool.tradingFee.toString(),
      },
      reference:
        typeof reference === 'string'
          ? null
          : {
              sqrtPrice: reference.sqrtPrice.toString(),
              samples: reference.samples,
              from: new Date(reference.from).toISOString(),
              to: new Date(reference.to).toISOString(),
            },
      maxDiscountBasisPoints: limits.maxDiscountBasisPoints,
      floor: floor.toString(),
      impact: Number(impact),
      moved: Number(bounds.moved),
      budget: Number(budget),
    },
  };
}

function refused(reason: QuoteRefusal): SaleQuote {
  return { outcome: 'refused', reason };
}
