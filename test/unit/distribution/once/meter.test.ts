// The meter: what is signed for a value of a pot, and what is never signed. What the chain makes of it is in contracts/svm.
import { describe, expect, test } from 'vitest';
import {
  batchOf,
  taxedTransferInstruction,
  transferSol,
  unwrapLamports,
} from '../../../../src/chain/payment-instructions.ts';
import { type Pot, payFromPot } from '../../../../src/distribution/once/meter.ts';
import { keyOf } from '../../../support/faulty-chain/token-world.ts';

const [address, owner, delegate, mint, first, second] = [1, 2, 3, 4, 5, 6].map(
  (index) => keyOf(6_000 + index).address,
) as [string, string, string, string, string, string];
const SOL: Pot = { address, owner, delegate, asset: { kind: 'sol' } };
const TOKENS: Pot = {
  address,
  owner,
  delegate,
  asset: { kind: 'token', mint, decimals: 6, tax: { epoch: 0n, basisPoints: 300, maximumFee: 1_000_000n } },
};
const PAYMENTS = [
  { to: first, amount: 60n },
  { to: second, amount: 40n },
];
const taxed = (to: string, amount: bigint, fee: bigint) =>
  taxedTransferInstruction({ mint, decimals: 6, from: address, to, authority: delegate, amount, fee });

describe('a batch', () => {
  test('of lamports is one instruction that begins with the guard: all that is left, from the pot to itself', () => {
    expect(payFromPot(SOL, 500n, PAYMENTS)).toEqual([
      batchOf([
        transferSol({ from: address, to: address, authority: delegate, lamports: 500n }),
        unwrapLamports({ from: address, to: first, authority: delegate, lamports: 60n }),
        unwrapLamports({ from: address, to: second, authority: delegate, lamports: 40n }),
      ]),
    ]);
  });

  test('of tokens begins with the guard too, and names the tax that holds now', () => {
    expect(payFromPot(TOKENS, 500n, PAYMENTS)).toEqual([
      taxed(address, 500n, 15n),
      taxed(first, 60n, 2n),
      taxed(second, 40n, 2n),
    ]);
  });

  test('may use up all that is left, and never a lamport more', () => {
    expect(payFromPot(SOL, 100n, PAYMENTS)).toHaveLength(1);
    expect(() => payFromPot(SOL, 99n, PAYMENTS)).toThrow(
      new RangeError('the payments exceed the remaining allowance of 99'),
    );
  });

  test.each([
    0n,
    -1n,
  ])('never pays %s: it would not move the meter, and could land again and again', (amount) => {
    expect(() => payFromPot(SOL, 100n, [...PAYMENTS.slice(1), { to: first, amount }])).toThrow(
      new RangeError(`${amount} is not a valid payment`),
    );
  });

  test('without a payment is never signed', () => {
    expect(() => payFromPot(SOL, 100n, [])).toThrow('a batch must contain a payment');
  });
});
