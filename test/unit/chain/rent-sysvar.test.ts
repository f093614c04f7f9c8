// Rents are paid because a node says so: what cannot be a rent is none.
import { SYSTEM_PROGRAM, SYSVAR_OWNER } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { rentOf, rentPerByte, reserveOf } from '../../../src/chain/rent-sysvar.ts';
import { ChainAnswerInvalid } from '../../../src/kernel/ports/chain.ts';
import { tokenAccount } from '../../support/run-examples.ts';

function sysvar(perByteYear: bigint, threshold: number, owner = SYSVAR_OWNER) {
  const data = Buffer.alloc(17);
  data.writeBigUInt64LE(perByteYear);
  data.writeDoubleLE(threshold, 8);
  return { owner, data };
}

describe('the rent of accounts', () => {
  test.each([
    ['of today', 3_480n, 2, 2_039_280n, 890_880n],
    ['without a threshold, as proposed', 6_960n, 1, 2_039_280n, 890_880n],
    ['of a tenth', 696n, 1, 203_928n, 89_088n],
  ] as const)('%s', (_what, perByteYear, threshold, ofToken, ofNothing) => {
    const perByte = rentPerByte(sysvar(perByteYear, threshold)) ?? 0n;
    expect([rentOf(165, perByte), rentOf(0, perByte)]).toEqual([ofToken, ofNothing]);
  });

  test.each([
    ['3 SOL for a token account', sysvar(5_119_454n, 2)],
    ['a lamport a byte too much', sysvar(6_961n, 1)],
    ['nothing', sysvar(0n, 2)],
    ['next to nothing', sysvar(347n, 1)],
    ['no whole number', sysvar(3_481n, 0.5)],
    ['no number', sysvar(3_480n, Number.NaN)],
    ['less than nothing', sysvar(3_480n, -2)],
    ['of another owner', sysvar(3_480n, 2, SYSTEM_PROGRAM)],
    ['cut off', { ...sysvar(3_480n, 2), data: Buffer.alloc(16) }],
    ['not there', undefined],
  ])('is not believed: %s', (_what, account) => {
    expect(rentPerByte(account)).toBeUndefined();
  });
});

describe('what was lent for an account of wrapped SOL', () => {
  function account(reserve: bigint, lamports = 10_000_000_000n) {
    const shown = tokenAccount({ amount: 5n });
    const data = Buffer.from(shown.data);
    data.writeBigUInt64LE(reserve, 113);
    return { ...shown, data, lamports };
  }

  test('is what it says, as far as that can be', () => {
    expect([reserveOf(undefined), reserveOf(account(2_039_280n))]).toEqual([0n, 2_039_280n]);
  });

  test.each([
    ['more than any rent', account(2_039_281n)],
    ['3 SOL', account(3_000_000_000n)],
    ['more than it holds', account(2_039_280n, 2_039_279n)],
  ])('is not believed: %s', (_what, shown) => {
    expect(() => reserveOf(shown)).toThrow(ChainAnswerInvalid);
  });
});
