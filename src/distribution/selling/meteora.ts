/** The venue of our launches, Meteora DAMM v2: sells into the pool that the token's launch made, and into no other. */
import { poolAddresses } from '../../chain/venue/addresses.ts';
import { type IssuedLaunch, judgePool } from '../../chain/venue/judge-launch.ts';
import { decodeSalePool, isPaused, mostSaleable, quoteSale, type SalePool } from '../../chain/venue/sale.ts';
import { sellTokens } from '../../chain/venue/venue-instructions.ts';
import type { Chain } from '../../ports/chain.ts';
import type { QuoteRefusal, SaleQuote, SaleVenue, TokenOnSale } from './sale-venue.ts';
import { arriving, largestToSend } from './taxed-amounts.ts';

const BASIS_POINTS = 10_000n;

export interface MeteoraOptions {
  readonly chain: Pick<Chain, 'accounts'>;
  /** Whether the venue's program is on this chain. */
  readonly isThere: () => Promise<boolean>;
  /** The token's launch, once it is final; undefined if it has none. */
  readonly launchOf: (mint: string) => Promise<IssuedLaunch | undefined>;
  /** How far a sale may move the price. */
  readonly maxImpactBasisPoints: number;
  /** How much less than quoted a sale may bring. */
  readonly slippageBasisPoints: number;
}

export function createMeteora(options: MeteoraOptions): SaleVenue {
  const { chain, isThere, launchOf } = options;
  return {
    name: 'meteora',

    async quote(token, wanted) {
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
      return quoteIn(pool, launch.poolAddress, token, wanted, options);
    },

    instructions: ({ mint, market, amount, minimum }, { wallet, tokens, till }) => [
      sellTokens({
        seller: wallet,
        mint,
        vaults: poolAddresses(mint, market),
        tokenAccount: tokens,
        solAccount: till,
        gross: amount,
        minimum,
      }),
    ],

    signers: () => [],
  };
}

function quoteIn(
  pool: SalePool,
  market: string,
  { mint, decimals, tax }: TokenOnSale,
  wanted: bigint,
  {
    maxImpactBasisPoints,
    slippageBasisPoints,
  }: Pick<MeteoraOptions, 'maxImpactBasisPoints' | 'slippageBasisPoints'>,
): SaleQuote {
  if (pool.sqrtPrice <= pool.sqrtMinPrice) return refused('pool-empty');
  const most = mostSaleable(pool, maxImpactBasisPoints);
  if (most === 0n) return refused('price-impact');
  const amount = largestToSend(tax, wanted, most);
  const brought = quoteSale(pool, arriving(tax, amount));
  if (brought === undefined) return refused('too-little');
  const minimum = (brought.lamports * (BASIS_POINTS - BigInt(slippageBasisPoints))) / BASIS_POINTS;
  // Nothing would bind a sale for nothing.
  if (minimum === 0n) return refused('too-little');
  return {
    outcome: 'sale',
    sale: { venue: 'meteora', mint, decimals, market, amount, minimum },
    expected: brought.lamports,
  };
}

function refused(reason: QuoteRefusal): SaleQuote {
  return { outcome: 'refused', reason };
}
