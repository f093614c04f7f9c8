// Rents are paid because a node says so: what cannot be a rent is none.
import { describe, expect, test } from 'vitest';
import { SYSTEM_PROGRAM, SYSVAR_OWNER } from '../src/program-ids.ts';
import { rentOf, rentPerByte } from '../src/rent.ts';

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
