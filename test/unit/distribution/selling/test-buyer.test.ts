import { expect, test } from 'vitest';
import { ESTIMATE } from '../../../../src/distribution/selling/sale-venue.ts';
import { createDesk } from '../../../../src/distribution/selling/test-buyer.ts';
import { KEYRING, only, TOKEN } from '../../../support/run-examples.ts';

const RENT = 100n;
const TOKEN_RENT = 250n;
const REFILL = 100_000_000_000n;
/** A lamport a base unit. */
const MARKET_CAP = 1_000_000n;
const onSale = {
  mint: TOKEN.mint,
  decimals: 6,
  supply: 1_000_000n,
  tax: { epoch: 0n, basisPoints: 0, maximumFee: 0n },
};

interface Given {
  /** Lamports of the desk; a key that was never paid to has no account. */
  readonly held?: bigint | 'no account';
  /** Whether the desk has an account of the token. */
  readonly hasTokens?: boolean;
  readonly marketCap?: bigint;
}

function deskOf({ held = 10_000n, hasTokens = true, marketCap = MARKET_CAP }: Given = {}) {
  const account = { owner: '', data: new Uint8Array() };
  const given: bigint[] = [];
  const desk = createDesk({
    chain: only<Parameters<typeof createDesk>[0]['chain']>('the chain', {
      accounts: async () => [
        held === 'no account' ? undefined : { ...account, lamports: held },
        hasTokens ? { ...account, lamports: 1n } : undefined,
      ],
      rentExemption: async (size) => (size === 0 ? RENT : TOKEN_RENT),
      async airdrop(_to, lamports) {
        given.push(lamports);
        return undefined as never;
      },
    }),
    key: KEYRING.desk,
    marketCap,
  });
  return { desk, given };
}

const taxed = (basisPoints: number) => ({ tax: { ...onSale.tax, basisPoints, maximumFee: 10n ** 9n } });

test.each([
  ['all of what arrives untaxed', {}, 1_000n, 1_000n],
  ['nothing for the tax', taxed(1_000), 1_000n, 900n],
  ['a share of the market cap', { supply: 2_000_000n }, 1_001n, 500n],
  ['up to a tax of a fifth', taxed(2_000), 1_000n, 800n],
])('its price pays %s', async (_what, change, amount, price) => {
  expect(await deskOf().desk.quote({ ...onSale, ...change }, amount, ESTIMATE)).toEqual({
    sale: {
      venue: 'desk',
      mint: TOKEN.mint,
      decimals: 6,
      market: KEYRING.desk.address,
      amount,
      minimum: price,
    },
    expected: price,
    basis: null,
  });
});

test.each([
  ['no lamport is due', { supply: 2_000_000n }, 1n, 'too-little'],
  ['nothing is left of the supply', { supply: 0n }, 1_000n, 'too-little'],
  ['the own tax takes more than a fifth', taxed(2_100), 1_000n, 'own-tax'],
])('it buys nothing where %s, and asks the chain for nothing', async (_where, change, amount, reason) => {
  const { desk, given } = deskOf({ held: 'no account' });
  expect(await desk.quote({ ...onSale, ...change }, amount, ESTIMATE)).toEqual({
    reason,
  });
  expect(given).toEqual([]);
});

test.each([
  ['enough', { held: RENT + 1_000n }, []],
  ['a lamport less', { held: RENT + 999n }, [REFILL]],
  ['enough but for the account of the token', { held: RENT + 1_000n, hasTokens: false }, [REFILL]],
  ['enough for that too', { held: RENT + TOKEN_RENT + 1_000n, hasTokens: false }, []],
  ['no account', { held: 'no account' }, [REFILL]],
  ['less than a large purchase takes', { held: RENT + 10n, marketCap: 10n ** 18n }, [10n ** 15n - 10n]],
] as const)('with %s it is funded by what is missing, and at least by a hundred SOL', async (_held, state, expected) => {
  const { desk, given } = deskOf(state);
  expect(await desk.quote(onSale, 1_000n, ESTIMATE)).toMatchObject({ sale: { amount: 1_000n } });
  expect(given).toEqual(expected);
});
