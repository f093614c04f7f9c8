// Sales into the pool of a launch, quoted from its account.
import type { TransferFee } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import type { IssuedLaunch } from '../../../../src/chain/venue/judge-launch.ts';
import { createMeteora } from '../../../../src/distribution/selling/meteora.ts';
import { ESTIMATE, type SaleQuote } from '../../../../src/distribution/selling/sale-venue.ts';
import type { ChainAccount } from '../../../../src/kernel/ports/chain.ts';
import { issuedLaunch, tokenTerms } from '../../chain/venue/launch-example.ts';
import { recorded } from '../../chain/venue/recorded-accounts.ts';

const traded = recorded('pool-after-sale');
const U64_MAX = 2n ** 64n - 1n;
const BILLION_TOKENS = 1_000_000_000_000n;

const taxOf = (basisPoints: number, maximumFee = U64_MAX): TransferFee => ({
  epoch: 0n,
  basisPoints,
  maximumFee,
});

const tokenOf = (tax = taxOf(350)) => ({
  mint: issuedLaunch.mintAddress,
  decimals: tokenTerms.decimals,
  supply: tokenTerms.supply,
  tax,
});

/** The venue over this account at the launch's address. */
function venueWith(
  account: ChainAccount | undefined,
  change: Partial<Omit<Parameters<typeof createMeteora>[0], 'chain'>> = {},
): ReturnType<typeof createMeteora> {
  return createMeteora({
    chain: {
      accounts: async (addresses, commitment) => {
        expect([addresses, commitment]).toEqual([[issuedLaunch.poolAddress], 'confirmed']);
        return [account];
      },
    },
    exists: async () => true,
    launchOf: async (mint) => (mint === issuedLaunch.mintAddress ? issuedLaunch : undefined),
    maxImpactBasisPoints: 500,
    slippageBasisPoints: 100,
    maxDiscountBasisPoints: 500,
    ...change,
  });
}

function changed(...bytes: readonly (readonly [offset: number, value: number])[]): ChainAccount {
  const data = Uint8Array.from(traded.data);
  for (const [offset, value] of bytes) data[offset] = value;
  return { ...traded, data };
}

const SQRT_PRICE_AT = 456;

/** The recorded pool at another price, the one that somebody moved it to. */
function pricedAt(sqrtPrice: bigint): ChainAccount {
  const data = Buffer.from(traded.data);
  data.writeBigUInt64LE(sqrtPrice & U64_MAX, SQRT_PRICE_AT);
  data.writeBigUInt64LE(sqrtPrice >> 64n, SQRT_PRICE_AT + 8);
  return { ...traded, data: Uint8Array.from(data) };
}

function saleIn(quote: SaleQuote) {
  if ('reason' in quote) throw new Error(`refused: ${quote.reason}`);
  return quote;
}

const reasonOf = (quote: SaleQuote) => ('reason' in quote ? quote.reason : quote.sale);

describe('a quote', () => {
  test('sells as much as is wanted where that moves the price little, and else what the cap leaves', async () => {
    const venue = venueWith(traded);
    expect(saleIn(await venue.quote(tokenOf(), BILLION_TOKENS, ESTIMATE)).sale.amount).toBe(BILLION_TOKENS);
    const { sale } = saleIn(await venue.quote(tokenOf(), tokenTerms.supply, ESTIMATE));
    expect(sale.amount).toBeLessThan(tokenTerms.supply / 10n);
    // Pool's fee and tax are 4.5 % together.
    const within = async (maxImpactBasisPoints: number) =>
      saleIn(await venueWith(traded, { maxImpactBasisPoints }).quote(tokenOf(), tokenTerms.supply, ESTIMATE))
        .sale.amount;
    expect(await within(2_000)).toBe(sale.amount);
    expect(await within(450)).toBe(sale.amount);
    expect(await within(400)).toBeLessThan(sale.amount);
  });
});

describe('nothing is sold', () => {
  const launchWith = (change: Partial<IssuedLaunch>) => ({
    launchOf: async () => ({ ...issuedLaunch, ...change }),
  });

  test('where the program is gone', async () => {
    const venue = venueWith(traded, { exists: async () => false });
    expect(reasonOf(await venue.quote(tokenOf(), 1_000n, ESTIMATE))).toBe('venue-missing');
  });

  test('into a pool that is not the one of the launch', async () => {
    const squatted = recorded('pool-of-somebody-else');
    for (const venue of [
      venueWith(squatted),
      venueWith(undefined),
      venueWith({ ...traded, owner: issuedLaunch.creator }),
      venueWith({ ...traded, data: traded.data.subarray(0, 600) }),
      venueWith(traded, launchWith({ creator: issuedLaunch.positionMint })),
      venueWith(traded, launchWith({ sqrtMinPrice: issuedLaunch.sqrtMinPrice + 1n })),
      venueWith(traded, launchWith({ liquidity: issuedLaunch.liquidity * 2n })),
    ])
      expect(reasonOf(await venue.quote(tokenOf(), 1_000_000n, ESTIMATE))).toBe('pool-not-ours');
  });

  test.each([
    ['pool-paused', 'that the venue has paused', 481, 1],
    ['pool-unsuitable', 'whose fee falls with time', 16, 1],
    ['pool-unsuitable', 'whose fee has periods', 22, 1],
    ['pool-unsuitable', 'whose fee rises with traffic', 56, 1],
    ['pool-unsuitable', 'that takes its fee in tokens', 484, 0],
  ])('%s: into a pool %s', async (reason, _what, offset, value) => {
    const venue = venueWith(changed([offset, value]));
    expect(reasonOf(await venue.quote(tokenOf(), 1_000_000n, ESTIMATE))).toBe(reason);
  });

  test('into a pool that nobody has bought from, or that was sold empty', async () => {
    const quotes = [recorded('pool-at-start'), pricedAt(issuedLaunch.sqrtMinPrice)].map((account) =>
      venueWith(account).quote(tokenOf(), 1_000_000n, ESTIMATE),
    );
    expect((await Promise.all(quotes)).map(reasonOf)).toEqual(['pool-empty', 'pool-empty']);
  });

  test('that brings nothing, or whose least would be nothing', async () => {
    const venue = venueWith(traded);
    for (const wanted of [0n, 1n])
      expect(reasonOf(await venue.quote(tokenOf(), wanted, ESTIMATE))).toBe('too-little');
    expect(reasonOf(await venue.quote(tokenOf(taxOf(10_000)), U64_MAX, ESTIMATE))).toBe('own-tax');
  });
});
