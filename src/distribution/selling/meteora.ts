/** Meteora DAMM v2, the venue of the service's launches: sells only into the pool that the token's launch created. */
import type { Instruction } from 'levy-solana-wire';
import { poolAddresses } from '../../chain/venue/addresses.ts';
import { type IssuedLaunch, judgePool } from '../../chain/venue/judge-launch.ts';
import { sellTokens } from '../../chain/venue/venue-instructions.ts';
import type { Chain } from '../../kernel/ports/chain.ts';
import { decideSale, type SaleLimits } from './decide-sale.ts';
import { refused, type Sale, type SaleAccounts, type SaleVenue } from './sale-venue.ts';

interface MeteoraOptions extends SaleLimits {
  readonly chain: Pick<Chain, 'accounts'>;
  /** Resolves with true if the venue's program is on this chain. */
  readonly exists: () => Promise<boolean>;
  /** The token's launch, once it is final; undefined if it has none. */
  readonly launchOf: (mint: string) => Promise<IssuedLaunch | undefined>;
}

export function createMeteora(options: MeteoraOptions): SaleVenue {
  const { chain, exists, launchOf } = options;
  return {
    name: 'meteora',

    async quote(token, wanted, bounds) {
      const launch = await launchOf(token.mint);
      if (launch === undefined) return refused('no-market');
      if (!(await exists())) return refused('venue-missing');
      const [account] = await chain.accounts([launch.poolAddress], 'confirmed');
      // Any token holder can create a pool at this address, so check that the launch created it.
      const pool = judgePool(launch, account);
      if (pool === undefined) return refused('pool-not-ours');
      if (pool.isPaused) return refused('pool-paused');
      if (!pool.hasFixedFee) return refused('pool-unsuitable');
      const decision = decideSale(pool, { tax: token.tax, wanted, bounds }, options);
      if ('reason' in decision) return decision;
      const { amount, received, expected, minimum, floor, impact, budget } = decision;
      const { mint, decimals } = token;
      const { reference } = bounds;
      return {
        sale: { venue: 'meteora', mint, decimals, market: launch.poolAddress, amount, minimum },
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
          maxDiscountBasisPoints: options.maxDiscountBasisPoints,
          floor: floor.toString(),
          impact: Number(impact),
          moved: Number(bounds.moved),
          budget: Number(budget),
        },
      };
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
