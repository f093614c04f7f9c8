// The desk: its quotes and its purchases, on the real virtual machine.
import { associatedTokenAddress, feeOfTransfer, VERSION_1_SIZE } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { CREATOR_TOKEN_ACCOUNT_SIZE } from '../../../src/chain/creation-transaction.ts';
import { createDesk, type DeskOptions, type DeskPolicy } from '../../../src/distribution/selling/desk.ts';
import { ESTIMATE, type SaleAccounts, type SaleQuote } from '../../../src/distribution/selling/sale-venue.ts';
import * as example from '../../unit/chain/venue/launch-example.ts';
import { expectNothing, saleVenueQuotes, saleVenueSales } from '../sale-venue.contract.ts';
import { openSaleMachine, type SaleMachine, tax, token } from './sale-machine.ts';

const desk = example.keyring.desk;
const stock = associatedTokenAddress(desk.address, token.mint);
const SOL = 1_000_000_000n;
const POLICY: DeskPolicy = { marketCap: 100n * SOL, mints: undefined, budget: undefined };
const TOKENS = 10_000_000_000_000n;
/** What the desk pays for these: they are taxed, and it pays for what arrives. */
const PRICE = (100n * SOL * (TOKENS - feeOfTransfer(tax, TOKENS))) / token.supply;

let time = new Date('2026-05-04T10:00:00Z');

function deskOn(on: SaleMachine, change: Partial<DeskOptions> = {}) {
  return createDesk({
    chain: on.chain,
    clock: { now: () => time },
    key: desk,
    policy: POLICY,
    isLocal: true,
    spent: async () => 0n,
    ...change,
  });
}

async function openDesk() {
  const on = openSaleMachine();
  return { on, venue: deskOn(on), takes: on.held() / 4n };
}

saleVenueQuotes('desk', openDesk);
saleVenueSales('desk', openDesk);

const saleIn = (quote: SaleQuote) => {
  if (quote.outcome === 'refused') throw new Error(`refused: ${quote.reason}`);
  return quote.sale;
};
const reasonOf = (quote: SaleQuote) => (quote.outcome === 'refused' ? quote.reason : quote.sale);

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
      venue.instructions(sale, accounts).map((instruction) => ({
        ...instruction,
        accounts: instruction.accounts.map((meta) =>
          meta.address === desk.address ? { ...meta, signer: false } : meta,
        ),
      }));
    expectNothing(on, () => on.sell(venue, sale, { instructions: unsigned, keys: [] }));
  });

  test('is funded by a local chain as often as it is low', async () => {
    const on = openSaleMachine();
    const venue = deskOn(on, { policy: { ...POLICY, marketCap: 1_000_000n * SOL } });
    for (let sales = 0; sales < 3; sales += 1) {
      const sale = saleIn(await venue.quote(token, TOKENS, ESTIMATE));
      expect(sale.amount).toBe(TOKENS);
      expect(on.sell(venue, sale).error).toBeUndefined();
    }
  });

  test('fails where the chain takes another tax than it was signed for, and keeps everything', async () => {
    const on = openSaleMachine();
    const venue = deskOn(on);
    const sale = saleIn(await venue.quote(token, TOKENS, ESTIMATE));
    const logs = expectNothing(on, () =>
      on.sell(venue, sale, {
        instructions: (accounts) =>
          venue.instructions(sale, { ...accounts, tax: { ...tax, basisPoints: 349 } }),
      }),
    );
    expect(logs).toContain('custom program error: 0x20');
  });

  test('buys nothing where everything is taken as tax, or where it is closed', async () => {
    const on = openSaleMachine();
    const all = { ...token, tax: { ...tax, basisPoints: 10_000 } };
    expect(reasonOf(await deskOn(on).quote(all, TOKENS, ESTIMATE))).toBe('too-little');
    const closed = deskOn(on, { policy: { ...POLICY, marketCap: 0n } });
    expect(reasonOf(await closed.quote(token, TOKENS, ESTIMATE))).toBe('no-market');
    const burned = { ...token, supply: 0n };
    expect(reasonOf(await deskOn(on).quote(burned, TOKENS, ESTIMATE))).toBe('too-little');
  });
});

describe('a desk on a chain whose SOL is worth something', () => {
  const elsewhere = (on: SaleMachine, policy: Partial<DeskPolicy>, change: Partial<DeskOptions> = {}) =>
    deskOn(on, { isLocal: false, policy: { ...POLICY, ...policy }, ...change });
  const allowed = { mints: [token.mint], budget: 100n * SOL };

  test('is closed unless tokens and budget are said, and takes no airdrop', async () => {
    const on = openSaleMachine();
    for (const policy of [{}, { mints: [token.mint] }, { budget: 100n * SOL }])
      expect(reasonOf(await elsewhere(on, policy).quote(token, TOKENS, ESTIMATE))).toBe('no-market');
    expect(reasonOf(await elsewhere(on, allowed).quote(token, TOKENS, ESTIMATE))).toBe('desk-empty');
    expect(on.machine.exists(desk.address)).toBe(false);
  });

  test('buys no other tokens', async () => {
    const on = openSaleMachine();
    on.machine.fund(desk.address, 10n * SOL);
    const other = { ...token, mint: example.buyer.address };
    expect(reasonOf(await elsewhere(on, allowed).quote(other, TOKENS, ESTIMATE))).toBe('desk-not-allowed');
  });

  test('buys for what it holds, keeps what its account must hold, and then is empty', async () => {
    const on = openSaleMachine();
    const half = PRICE / 2n;
    const kept = on.machine.rent(0) + on.machine.rent(CREATOR_TOKEN_ACCOUNT_SIZE);
    on.machine.fund(desk.address, half + kept);
    const venue = elsewhere(on, allowed);
    const sale = saleIn(await venue.quote(token, TOKENS, ESTIMATE));
    expect(sale.minimum).toBe(half);
    expect(sale.amount).toBeLessThan(TOKENS);
    expect(on.sell(venue, sale).error).toBeUndefined();
    expect(on.machine.balance(desk.address)).toBe(on.machine.rent(0));
    expect(reasonOf(await venue.quote(token, TOKENS, ESTIMATE))).toBe('desk-empty');
  });

  test('buys until its budget is spent, which recorded sales say, not the memory of a process', async () => {
    const on = openSaleMachine();
    on.machine.fund(desk.address, 1_000n * SOL);
    let spent = 0n;
    const open = () =>
      elsewhere(on, { ...allowed, budget: 2n * PRICE + PRICE / 2n }, { spent: async () => spent });
    const bought: bigint[] = [];
    for (let sales = 0; sales < 3; sales += 1) {
      // As after a restart.
      const venue = open();
      const sale = saleIn(await venue.quote(token, TOKENS, ESTIMATE));
      expect(on.sell(venue, sale).error).toBeUndefined();
      bought.push(sale.minimum);
      spent += sale.minimum;
    }
    expect(bought).toEqual([PRICE, PRICE, PRICE / 2n]);
    expect(reasonOf(await open().quote(token, TOKENS, ESTIMATE))).toBe('desk-budget-spent');
  });

  test('does not promise the same lamports to two tokens at once, and forgets what nobody recorded', async () => {
    const on = openSaleMachine();
    on.machine.fund(desk.address, 1_000n * SOL);
    const other = { ...token, mint: example.buyer.address };
    const policy = { mints: [token.mint, other.mint], budget: PRICE + PRICE / 2n };
    const venue = elsewhere(on, policy);
    const [one, two] = await Promise.all([
      venue.quote(token, TOKENS, ESTIMATE),
      venue.quote(other, TOKENS, ESTIMATE),
    ]);
    expect([saleIn(one).minimum, saleIn(two).minimum]).toEqual([PRICE, PRICE / 2n]);
    // Asked again, a token takes the place of its own quote only.
    expect(saleIn(await venue.quote(token, TOKENS, ESTIMATE)).minimum).toBe(PRICE);
    time = new Date(time.getTime() + 60_000);
    expect(saleIn(await venue.quote(other, TOKENS, ESTIMATE)).minimum).toBe(PRICE);
  });
});
