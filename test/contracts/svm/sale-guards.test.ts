// What holds any sale to its word: transfers of an account to itself, as the token programs run them.
import { feeOfTransfer, seededAddress, TOKEN_PROGRAM } from 'levy-solana-wire';
import { beforeEach, describe, expect, test } from 'vitest';
import { transferInstruction } from '../../../src/chain/system-instructions.ts';
import { solAccountOf } from '../../../src/distribution/once/till-chain.ts';
import { guardProceeds, guardTokens } from '../../../src/distribution/selling/sale-instructions.ts';
import type { Sale, SaleAccounts } from '../../../src/distribution/selling/sale-venue.ts';
import { syncNative, TOKEN_ACCOUNT_SIZE } from '../../support/token-instructions.ts';
import { openSaleMachine, payer, type SaleMachine, tax, token, tokens, wallet } from './sale-machine.ts';

const till = seededAddress(wallet.address, 'till', TOKEN_PROGRAM);
const accounts: SaleAccounts = { wallet: wallet.address, tokens, till, tax };
const sale: Sale = {
  venue: 'desk',
  mint: token.mint,
  decimals: token.decimals,
  market: payer.address,
  amount: 1_000n,
  minimum: 700n,
};
const IN_TILL = 5_000_000n;

let on: SaleMachine;

beforeEach(() => {
  on = openSaleMachine();
  const rent = on.machine.rent(TOKEN_ACCOUNT_SIZE);
  on.machine.execute(
    [
      ...solAccountOf({ address: till, seed: 'till', wallet: wallet.address, payer: payer.address, rent }),
      transferInstruction({ from: payer.address, to: till, lamports: IN_TILL }),
      syncNative(till),
    ],
    [payer, wallet],
  );
});

const run = (instructions: ReturnType<typeof guardTokens>) =>
  on.machine.send(on.machine.sign(instructions, [payer, wallet]));

describe('the guard of the tokens', () => {
  test('passes with exactly what must be left or more, moves nothing and is not taxed', () => {
    const before = on.machine.account(tokens)?.data;
    for (const left of [1n, on.held() - 1n, on.held()])
      expect(run(guardTokens(sale, accounts, left)).error).toBeUndefined();
    expect(on.machine.account(tokens)?.data).toEqual(before);
  });

  test('fails with one base unit less', () => {
    expect(run(guardTokens(sale, accounts, on.held() + 1n)).logs.join()).toContain(
      'custom program error: 0x1',
    );
  });

  test('is the chain’s: it carries the tax of the day, and fails with another', () => {
    const [guard] = guardTokens(sale, accounts, on.held());
    expect(Buffer.from(guard?.data ?? []).readBigUInt64LE(11)).toBe(feeOfTransfer(tax, on.held()));
    const other = { ...accounts, tax: { ...tax, basisPoints: 10 } };
    expect(run(guardTokens(sale, other, on.held())).logs.join()).toContain('custom program error: 0x20');
  });
});

describe('the guard of the proceeds', () => {
  test('passes with what was carried and the minimum or more, and moves nothing', () => {
    const before = on.machine.account(till)?.data;
    for (const carried of [0n, IN_TILL - sale.minimum])
      expect(run(guardProceeds(sale, accounts, carried)).error).toBeUndefined();
    expect(on.machine.account(till)?.data).toEqual(before);
  });

  test('fails with one lamport less, and counts no rent', () => {
    const short = guardProceeds(sale, accounts, IN_TILL - sale.minimum + 1n);
    expect(run(short).logs.join()).toContain('custom program error: 0x1');
  });
});
