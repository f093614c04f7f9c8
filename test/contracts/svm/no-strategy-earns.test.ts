// A thinned table of the traders of the unit test of this name, on the venue's real program: what it pays and withholds decides.
import { associatedTokenAddress } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { VENUE_PROGRAM } from '../../../src/chain/venue/addresses.ts';
import { decodePool } from '../../../src/chain/venue/venue-accounts.ts';
import { launchInstructions } from '../../../src/chain/venue/venue-instructions.ts';
import { createMeteora } from '../../../src/distribution/selling/meteora.ts';
import { launchTerms } from '../../../src/drafts/launches/plan-launch.ts';
import { tellOfSkipping, venueProgramFile } from '../../support/launching.ts';
import {
  asBefore,
  asNow,
  lamportsToBuy,
  type Market,
  played,
  SALE_LIMITS,
  type Strategy,
  taxAt,
} from '../../support/price-strategies.ts';
import { createVenueTrader } from '../../support/venue-trader.ts';
import {
  addresses,
  buyer,
  creator,
  launchInput,
  mint,
  mintState,
  parameters,
  position,
} from '../../unit/chain/venue/launch-example.ts';
import { openSaleMachine, token } from './sale-machine.ts';

tellOfSkipping('traders against the engine, on the real program');
const isSkipped = venueProgramFile === undefined;

const SOL = 1_000_000_000n;
const trader = createVenueTrader(mint.address);

/** A launch of a token with this tax, that the trader has bought 20 SOL of. */
async function openMarket(basisPoints: number): Promise<Market> {
  const tax = taxAt(basisPoints);
  const on = openSaleMachine([{ id: VENUE_PROGRAM, file: venueProgramFile ?? '' }], { tax });
  const { machine } = on;
  const terms = launchTerms(parameters, { ...mintState, transferFees: { older: tax, newer: tax } });
  machine.execute(launchInstructions({ ...launchInput, ...terms }), [creator, position]);
  const poolData = () => machine.account(addresses.pool)?.data ?? new Uint8Array();
  machine.execute(await trader.buy(buyer.address, 20n * SOL, poolData()), [buyer]);
  const { signers } = createMeteora({
    chain: on.chain,
    exists: async () => true,
    launchOf: async () => undefined,
    ...SALE_LIMITS,
  });
  const engine = {
    name: 'meteora',
    quote: () => Promise.reject(),
    signers,
  } as const;

  const held = () => machine.tokenAccount(associatedTokenAddress(buyer.address, mint.address))?.amount ?? 0n;
  const inPool = () => machine.tokenAccount(addresses.solVault)?.amount ?? 0n;
  const pool = () => {
    const found = decodePool(poolData());
    if (found === undefined) throw new Error('the pool is not there');
    return found;
  };
  return {
    tax,
    pool,
    async sell(sent) {
      const before = inPool();
      machine.execute(await trader.sell(buyer.address, sent, poolData()), [buyer]);
      return before - inPool();
    },
    async buy(tokens) {
      const [before, had] = [inPool(), held()];
      const lamports = lamportsToBuy(pool(), tokens, tax);
      machine.execute(await trader.buy(buyer.address, lamports, poolData()), [buyer]);
      expect(held() - had).toBeGreaterThanOrEqual(tokens);
      return inPool() - before;
    },
    async engineSells({ amount, minimum }) {
      const before = on.inTill();
      const { decimals } = token;
      const sale = {
        venue: 'meteora',
        mint: mint.address,
        decimals,
        market: addresses.pool,
        amount,
        minimum,
      } as const;
      return on.sell(engine, sale).error === undefined ? on.inTill() - before : undefined;
    },
  };
}

const strategies: readonly Omit<Strategy, 'tax'>[] = [
  { down: 4, minutes: 15 },
  { down: 5, minutes: 1 },
  { down: 15, minutes: 5 },
  { down: 50, minutes: 15 },
];

describe.skipIf(isSkipped)('a trader on the real program', () => {
  test.each([0, 20, 100, 500])('earns nothing at a tax of %i basis points', async (tax) => {
    const market = await openMarket(tax);
    // Knowing the moment, and not.
    for (const strategy of strategies)
      for (const saleAt of [0, strategy.minutes]) {
        const { earned, sales } = await played(market, { ...strategy, tax }, saleAt, asNow);
        expect(earned).toBeLessThan(0n);
        for (const { got, fair } of sales) expect(got * 100n).toBeGreaterThanOrEqual(fair * 95n);
        expect(sales.length > 0).toBe(strategy.down <= 5);
      }
  });

  test('earned by the rule that was before', async () => {
    const { earned, sales } = await played(
      await openMarket(20),
      { down: 50, minutes: 1, tax: 20 },
      0,
      asBefore,
    );
    expect(earned).toBeGreaterThan(0n);
    expect((sales[0]?.got ?? 0n) * 100n).toBeLessThan((sales[0]?.steady ?? 0n) * 65n);
  });
});
