// Guards that bound a sale: at least so many tokens remain, and at least so many lamports arrive.
import { describe, expect, test } from 'vitest';
import { transferSol, transferTaxed } from '../../../../src/chain/payment-instructions.ts';
import { guardProceeds, guardTokens } from '../../../../src/distribution/selling/sale-instructions.ts';
import type { Sale, SaleAccounts } from '../../../../src/distribution/selling/sale-venue.ts';
import { keyOf } from '../../../support/faulty-chain/token-world.ts';

const [wallet, tokens, till, mint] = [1, 2, 3, 4].map((index) => keyOf(6_200 + index).address) as [
  string,
  string,
  string,
  string,
];
const SALE: Sale = { venue: 'meteora', mint, decimals: 6, market: wallet, amount: 40n, minimum: 900n };
const ACCOUNTS: SaleAccounts = {
  wallet,
  tokens,
  till,
  tax: { epoch: 0n, basisPoints: 300, maximumFee: 1_000n },
};

describe('after a sale', () => {
  test('the account must still hold what was not sold', () => {
    expect(guardTokens(SALE, ACCOUNTS, 60n)).toEqual([
      transferTaxed({ mint, decimals: 6, from: tokens, to: tokens, authority: wallet, amount: 60n, fee: 2n }),
    ]);
  });

  test('of everything, nothing has to remain', () => {
    expect(guardTokens(SALE, ACCOUNTS, 0n)).toEqual([]);
  });

  test('the till must hold what it held before and the minimum', () => {
    expect(guardProceeds(SALE, ACCOUNTS, 100n)).toEqual([
      transferSol({ from: till, to: till, authority: wallet, lamports: 1_000n }),
    ]);
  });

  test('without a minimum an empty till holds nothing to anything', () => {
    expect(guardProceeds({ ...SALE, minimum: 0n }, ACCOUNTS, 0n)).toEqual([]);
    expect(guardProceeds({ ...SALE, minimum: 0n }, ACCOUNTS, 5n)).toHaveLength(1);
    expect(guardProceeds(SALE, ACCOUNTS, 0n)).toHaveLength(1);
  });
});
