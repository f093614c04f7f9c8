// Sales into the pool of a launch: quoted from recorded accounts, executed where the venue's program is at hand.
import { describe, expect, test } from 'vitest';
import { VENUE_PROGRAM } from '../../../src/chain/venue/addresses.ts';
import { launchInstructions } from '../../../src/chain/venue/venue-instructions.ts';
import { createMeteora } from '../../../src/distribution/selling/meteora.ts';
import { ESTIMATE, type SaleQuote } from '../../../src/distribution/selling/sale-venue.ts';
import type { Chain } from '../../../src/kernel/ports/chain.ts';
import { tellOfSkipping, venueProgramFile } from '../../support/launching.ts';
import { createVenueTrader } from '../../support/venue-trader.ts';
import * as example from '../../unit/chain/venue/launch-example.ts';
import { issuedLaunch, mint } from '../../unit/chain/venue/launch-example.ts';
import { recorded } from '../../unit/chain/venue/recorded-accounts.ts';
import { expectNothing, saleVenueQuotes, saleVenueSales } from '../sale-venue.contract.ts';
import { openSaleMachine, type SaleMachine, token } from './sale-machine.ts';

tellOfSkipping('sales into a pool, executed in this process');
const isSkipped = venueProgramFile === undefined;

const { addresses, buyer, creator, launchInput, position } = example;
const SOL = 1_000_000_000n;
const MAX = 10_000_000_000_000n;
const trader = createVenueTrader(mint.address);

function meteoraOver(chain: Pick<Chain, 'accounts'>, slippageBasisPoints = 100) {
  return createMeteora({
    chain,
    exists: async () => true,
    launchOf: async (of) => (of === mint.address ? issuedLaunch : undefined),
    maxImpactBasisPoints: 500,
    slippageBasisPoints,
    maxDiscountBasisPoints: 500,
  });
}

saleVenueQuotes('pool of a launch', async () => ({
  venue: meteoraOver({ accounts: async () => [recorded('pool-after-sale')] }),
  takes: MAX,
}));

async function trade(on: SaleMachine, lamports: bigint): Promise<void> {
  const pool = on.machine.account(addresses.pool)?.data ?? new Uint8Array();
  on.machine.execute(await trader.buy(buyer.address, lamports, pool), [buyer]);
}

async function openLaunched() {
  const on = openSaleMachine([{ id: VENUE_PROGRAM, file: venueProgramFile ?? '' }]);
  on.machine.execute(launchInstructions(launchInput), [creator, position]);
  const venue = meteoraOver(on.chain);
  return { on, venue };
}

async function openTraded() {
  const launched = await openLaunched();
  await trade(launched.on, 20n * SOL);
  return { ...launched, takes: MAX };
}

saleVenueSales('pool of a launch', openTraded, { isSkipped });

const saleIn = (quote: SaleQuote) => {
  if ('reason' in quote) throw new Error(`refused: ${quote.reason}`);
  return quote.sale;
};
const reasonOf = (quote: SaleQuote) => ('reason' in quote ? quote.reason : quote.sale);

describe.skipIf(isSkipped)('on the real program', () => {
  test('a pool that somebody moves down after the quote gets no tokens, and a new quote sells', async () => {
    const { on, venue } = await openTraded();
    const sale = saleIn(await venue.quote(token, MAX, ESTIMATE));
    // Somebody who sells first takes the price with him.
    const first = saleIn(await meteoraOver(on.chain, 5_000).quote(token, on.held() / 4n, ESTIMATE));
    expect(on.sell(venue, first).error).toBeUndefined();
    expectNothing(on, () => on.sell(venue, sale));
    expect(on.sell(venue, saleIn(await venue.quote(token, MAX, ESTIMATE))).error).toBeUndefined();
  });

  test('a pool that nobody has bought from is not sold into', async () => {
    const { on, venue } = await openLaunched();
    expect(reasonOf(await venue.quote(token, MAX, ESTIMATE))).toBe('pool-empty');
    expect(on.inTill()).toBe(0n);
  });
});
