// The desk buys no more than it has and may spend, to the lamport.
import { associatedTokenAddress, feeOfTransfer } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { transferTaxed } from '../../../../src/chain/payment-instructions.ts';
import { transferInstruction } from '../../../../src/chain/system-instructions.ts';
import { createAssociatedTokenAccountIfAbsent } from '../../../../src/chain/token-instructions.ts';
import { createDesk, type DeskOptions } from '../../../../src/distribution/selling/desk.ts';
import { ESTIMATE } from '../../../../src/distribution/selling/sale-venue.ts';
import { addresses } from '../../../support/domain-examples.ts';
import { KEYRING, NOW, only, TOKEN } from '../../../support/run-examples.ts';

const RENT = 100n;
const TOKEN_RENT = 250n;
const OTHER = addresses.creator;
/** A lamport a base unit. */
const PRICED = { marketCap: 1_000_000n, supply: 1_000_000n };
const onSale = {
  mint: TOKEN.mint,
  decimals: 6,
  supply: PRICED.supply,
  tax: { epoch: 0n, basisPoints: 0, maximumFee: 0n },
};

interface Given {
  /** Lamports of the desk; a key that was never paid to has no account. */
  readonly held?: bigint | 'no account';
  readonly budget?: bigint | undefined;
  readonly spent?: bigint;
  readonly mints?: readonly string[] | 'all';
  /** Whether the desk has an account of the token. */
  readonly hasTokens?: boolean;
  readonly isLocal?: boolean;
  readonly marketCap?: bigint;
}

function deskOf({
  held = 10_000n,
  budget,
  spent = 0n,
  mints = [TOKEN.mint, OTHER],
  hasTokens = true,
  isLocal = false,
  marketCap = PRICED.marketCap,
}: Given) {
  const account = { owner: '', data: new Uint8Array() };
  const asked: string[] = [];
  const given: bigint[] = [];
  const at = { now: NOW.getTime() };
  const desk = createDesk({
    chain: only<DeskOptions['chain']>('the chain', {
      async accounts([wallet = '']) {
        asked.push(wallet);
        return [
          held === 'no account' ? undefined : { ...account, lamports: held },
          hasTokens ? { ...account, lamports: 1n } : undefined,
        ];
      },
      rentExemption: async (size) => (size === 0 ? RENT : TOKEN_RENT),
      async airdrop(_to, lamports) {
        given.push(lamports);
        return undefined as never;
      },
    }),
    clock: { now: () => new Date(at.now) },
    key: KEYRING.desk,
    policy: { marketCap, mints: mints === 'all' ? undefined : mints, budget },
    isLocal,
    spent: async () => spent,
  });
  return { desk, asked, given, at };
}

function quote({ asked = [], ...given }: Given & { readonly asked?: string[] }) {
  const { desk, asked: looks } = deskOf(given);
  return desk.quote(onSale, 1_000n, ESTIMATE).finally(() => asked.push(...looks));
}

test.each([
  ['all where it may spend the whole price', 1_000n, 0n, 1_000n],
  ['what a lamport less pays', 999n, 0n, 999n],
  ['what is left of its budget', 1_000n, 700n, 300n],
  ['for the last lamport of it', 1_000n, 999n, 1n],
])('it buys %s', async (_what, budget, spent, amount) => {
  expect(await quote({ budget, spent })).toMatchObject({
    outcome: 'sale',
    sale: { amount, minimum: amount },
    expected: amount,
    basis: null,
  });
});

test.each([
  ['used up', 1_000n],
  ['overspent', 1_001n],
])('with a budget that is %s it buys nothing, and is not looked at or filled up', async (_what, spent) => {
  const asked: string[] = [];
  expect(await quote({ budget: 1_000n, spent, asked })).toEqual({
    outcome: 'refused',
    reason: 'desk-budget-spent',
  });
  expect(asked).toEqual([]);
});

test('it keeps what its account must hold', async () => {
  expect(await quote({ budget: 5_000n, held: RENT + 400n })).toMatchObject({ sale: { amount: 400n } });
  for (const held of [RENT, RENT - 1n, 0n])
    expect(await quote({ budget: 5_000n, held })).toEqual({ outcome: 'refused', reason: 'desk-empty' });
});

test('it buys listed tokens alone, and only with a budget', async () => {
  const { reason } = { reason: 'desk-not-allowed' };
  expect(await quote({ budget: 5_000n, mints: [] })).toEqual({ outcome: 'refused', reason });
  expect(await quote({ budget: undefined })).toEqual({ outcome: 'refused', reason: 'no-market' });
});

test('it pays for the account of the token that it makes', async () => {
  const sale = (given: Given) => quote({ budget: 5_000n, held: RENT + TOKEN_RENT + 400n, ...given });
  expect(await sale({ hasTokens: false })).toMatchObject({ sale: { amount: 400n } });
  expect(await sale({ hasTokens: true })).toMatchObject({ sale: { amount: 400n + TOKEN_RENT } });
  expect(await sale({ held: 'no account' })).toEqual({ outcome: 'refused', reason: 'desk-empty' });
});

test('without a market cap it is closed, and elsewhere than on a local chain without tokens or a budget', async () => {
  const closed = { outcome: 'refused', reason: 'no-market' };
  expect(await quote({ budget: 5_000n, marketCap: 0n })).toEqual(closed);
  expect(await quote({ budget: undefined, marketCap: 0n, isLocal: true })).toEqual(closed);
  expect(await quote({ budget: 5_000n, mints: 'all' })).toEqual(closed);
});

describe('its price', () => {
  const priced = (given: Partial<typeof onSale>, wanted: bigint, budget = 5_000n) =>
    deskOf({ budget }).desk.quote({ ...onSale, ...given }, wanted, ESTIMATE);
  const refused = (reason: string) => ({ outcome: 'refused', reason });
  const taxed = (basisPoints: number) => ({ tax: { ...onSale.tax, basisPoints, maximumFee: 10n ** 9n } });

  test('is the share of the market cap that arrives after the tax, and no lamport for nothing', async () => {
    expect(await priced(taxed(1_000), 1_000n)).toMatchObject({ sale: { amount: 1_000n, minimum: 900n } });
    expect(await priced({ supply: 2n * PRICED.supply }, 1_000n)).toMatchObject({ sale: { minimum: 500n } });
    expect(await priced({ supply: 2n * PRICED.supply }, 1n)).toEqual(refused('too-little'));
    expect(await priced({ supply: 0n }, 1_000n)).toEqual(refused('too-little'));
  });

  test('buys no token whose own tax takes more than a fifth', async () => {
    expect(await priced(taxed(2_000), 1_000n)).toMatchObject({ outcome: 'sale' });
    expect(await priced(taxed(2_100), 1_000n)).toEqual(refused('own-tax'));
  });

  test('is paid for as much as the budget takes, to the base unit', async () => {
    // Two base units a lamport: for three lamports seven units, since the eighth would cost the fourth.
    expect(await priced({ supply: 2n * PRICED.supply }, 1_000n, 3n)).toMatchObject({
      sale: { amount: 7n, minimum: 3n },
    });
    // A unit costs two lamports: with one left of the budget nothing is bought.
    expect(await priced({ supply: PRICED.supply / 2n }, 1_000n, 1n)).toEqual(refused('desk-budget-spent'));
    const { desk } = deskOf({ budget: 5_000n, held: RENT + 1n });
    expect(await desk.quote({ ...onSale, supply: PRICED.supply / 2n }, 1_000n, ESTIMATE)).toEqual(
      refused('desk-empty'),
    );
  });
});

describe('what it has offered for one token', () => {
  const other = { ...onSale, mint: OTHER };
  const amountOf = async (quoted: ReturnType<typeof quote>) => {
    const found = await quoted;
    return found.outcome === 'sale' ? found.sale.amount : found.reason;
  };

  test('is not offered for another as well, for a minute', async () => {
    const { desk, at } = deskOf({ budget: 1_500n });
    const [first, second] = await Promise.all([
      amountOf(desk.quote(onSale, 1_000n, ESTIMATE)),
      amountOf(desk.quote(other, 1_000n, ESTIMATE)),
    ]);
    expect([first, second]).toEqual([1_000n, 500n]);
    expect(await amountOf(desk.quote(onSale, 1_000n, ESTIMATE))).toBe(1_000n);
    at.now += 59_999;
    expect(await amountOf(desk.quote(other, 1_000n, ESTIMATE))).toBe(500n);
    at.now += 1;
    expect(await amountOf(desk.quote(other, 1_000n, ESTIMATE))).toBe(1_000n);
  });

  test('is kept of what the desk holds, too', async () => {
    const { desk } = deskOf({ budget: 10_000n, held: RENT + 1_200n });
    await desk.quote(onSale, 1_000n, ESTIMATE);
    expect(await amountOf(desk.quote(other, 1_000n, ESTIMATE))).toBe(200n);
  });
});

describe('on a local chain', () => {
  const local = { isLocal: true, budget: undefined, mints: 'all' } as const;

  test('it buys any token without an end, and is filled up with what is missing', async () => {
    const { desk, given } = deskOf({ ...local, held: RENT + 10n });
    expect(await desk.quote(onSale, 1_000n, ESTIMATE)).toMatchObject({ sale: { amount: 1_000n } });
    expect(given).toEqual([100_000_000_000n]);
    const large = deskOf({ ...local, held: RENT + 10n, marketCap: 10n ** 18n });
    expect(await large.desk.quote(onSale, 1_000n, ESTIMATE)).toMatchObject({ sale: { amount: 1_000n } });
    expect(large.given).toEqual([10n ** 15n - 10n]);
    const spent = deskOf({ ...local, held: RENT - 50n, marketCap: 200_000_000_000_000n });
    await spent.desk.quote(onSale, 1_000n, ESTIMATE);
    expect(spent.given).toEqual([200_000_000_050n]);
  });

  test('it is not filled up while it has enough', async () => {
    const { desk, given } = deskOf({ ...local, held: RENT + 1_000n });
    expect(await desk.quote(onSale, 1_000n, ESTIMATE)).toMatchObject({ sale: { amount: 1_000n } });
    expect(given).toEqual([]);
  });

  test('it is bound by tokens and a budget where these are said', async () => {
    expect(await quote({ ...local, mints: [] })).toMatchObject({ reason: 'desk-not-allowed' });
    expect(await quote({ ...local, budget: 300n })).toMatchObject({ sale: { amount: 300n } });
  });
});

test('a purchase takes the tokens and pays the till, and the desk signs it', () => {
  const { desk } = deskOf({ budget: 5_000n });
  const { mint } = TOKEN;
  const market = KEYRING.desk.address;
  const [wallet, tokens, till] = [TOKEN.wallet.address, TOKEN.tokens, addresses.otherNonceAccount];
  const tax = { epoch: 0n, basisPoints: 300, maximumFee: 1_000n };
  const bought = associatedTokenAddress(market, mint);
  expect(
    desk.instructions(
      { venue: 'desk', mint, decimals: 6, market, amount: 900n, minimum: 70n },
      { wallet, tokens, till, tax },
    ),
  ).toEqual([
    createAssociatedTokenAccountIfAbsent({ payer: market, tokenAccount: bought, owner: market, mint }),
    transferTaxed({
      mint,
      decimals: 6,
      from: tokens,
      to: bought,
      authority: wallet,
      amount: 900n,
      fee: feeOfTransfer(tax, 900n),
    }),
    transferInstruction({ from: market, to: till, lamports: 70n }),
  ]);
  expect([desk.name, desk.price, desk.signers({} as never)]).toEqual(['desk', 'fixed', [KEYRING.desk]]);
});
