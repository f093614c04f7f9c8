// The desk: its quotes and its purchases, on the real virtual machine.

import { associatedTokenAddress, feeOfTransfer, VERSION_1_SIZE } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { CREATOR_TOKEN_ACCOUNT_SIZE } from '../../../src/chain/creation-transaction.ts';
import { saleInstructions } from '../../../src/distribution/selling/sale-instructions.ts';
import { ESTIMATE, type SaleAccounts, type SaleQuote } from '../../../src/distribution/selling/sale-venue.ts';
import { createDesk } from '../../../src/distribution/selling/test-buyer.ts';
import * as example from '../../unit/chain/venue/launch-example.ts';
import { expectNothing, saleVenueQuotes, saleVenueSales } from '../sale-venue.contract.ts';
import { openSaleMachine, type SaleMachine, tax, token } from './sale-machine.ts';

const desk = example.keyring.desk;
const stock = associatedTokenAddress(desk.address, token.mint);
const SOL = 1_000_000_000n;
const TOKENS = 10_000_000_000_000n;
/** Payment of the desk for these tokens: the transfer is taxed, and the desk pays for the received amount. */
const PRICE = (100n * SOL * (TOKENS - feeOfTransfer(tax, TOKENS))) / token.supply;

function deskOn(on: SaleMachine, marketCap = 100n * SOL) {
  return createDesk({ chain: on.chain, key: desk, marketCap });
}

async function openDesk() {
  const on = openSaleMachine();
  return { on, venue: deskOn(on), takes: on.held() / 4n };
}

saleVenueQuotes('desk', openDesk);
saleVenueSales('desk', openDesk);

const saleIn = (quote: SaleQuote) => {
  if ('reason' in quote) throw new Error(`refused: ${quote.reason}`);
  return quote.sale;
};

describe('the desk', () => {
  test('pays the fixed price for what arrives after the tax, and pays the rent of its own account', async () => {
    const on = openSaleMachine();
    const venue = deskOn(on);
    const sale = saleIn(await venue.quote(token, TOKENS, ESTIMATE));
    expect(sale).toMatchObject({ amount: TOKENS, minimum: PRICE, market: desk.address });
    const before = on.machine.balance(desk.address);
    expect(on.sell(venue, sale).error).toBeUndefined();
    expect(on.machine.tokenAccount(stock)?.amount).toBe(TOKENS - feeOfTransfer(tax, TOKENS));
    const rent = on.machine.rent(CREATOR_TOKEN_ACCOUNT_SIZE);
    expect(before - on.machine.balance(desk.address)).toBe(PRICE + rent);
    // The second purchase finds the account.
    expect(on.sell(venue, saleIn(await venue.quote(token, TOKENS, ESTIMATE))).error).toBeUndefined();
    expect(before - on.machine.balance(desk.address)).toBe(2n * PRICE + rent);
  });

  test('fits into one transaction with both guards, signed by payer, wallet and desk', async () => {
    const on = openSaleMachine();
    const venue = deskOn(on);
    const sale = saleIn(await venue.quote(token, TOKENS, ESTIMATE));
    expect(on.sign(venue, sale).length).toBeLessThan(VERSION_1_SIZE / 3);
    // Without the desk's signature its SOL stays where it is, and so do the tokens.
    const unsigned = (accounts: SaleAccounts) =>
      saleInstructions(sale, accounts).map((instruction) => ({
        ...instruction,
        accounts: instruction.accounts.map((meta) =>
          meta.address === desk.address ? { ...meta, signer: false } : meta,
        ),
      }));
    expectNothing(on, () => on.sell(venue, sale, { instructions: unsigned, keys: [] }));
  });
});
