// What the console makes of a form, and what it says of a transaction before it is signed.
import {
  COMPUTE_BUDGET_PROGRAM,
  compileLegacyMessage,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  unsignedTransaction,
} from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { EMPTY_FORM, faultsOf, inputOf } from '../../../console/src/format/token-form.ts';
import { instructionsOf } from '../../../console/src/format/transaction.ts';

const WALLET = '67aUmvMbgSSnoJVKRifu2SbxdaxJ7rX5tt8MHUbKLGLj';
const OTHER_PROGRAM = 'HF3j6qvcCQJRyXLKwpDYw1MMjbsWP9wB72L471rSBNxD';
const FORM = { ...EMPTY_FORM, name: ' Sunrise ', symbol: 'SUN' };

describe('the form of a token', () => {
  test('becomes base units and numbers, without blanks around texts', () => {
    expect(faultsOf(FORM)).toEqual({});
    expect(inputOf({ ...FORM, supply: '1,000.5', minimumHoldingRequirement: '2' })).toMatchObject({
      name: 'Sunrise',
      supply: '1000500000',
      minimumHoldingRequirement: '2000000',
      decimals: 6,
      transferFeePercent: 5,
    });
  });

  test('names no developer unless one is typed', () => {
    expect(inputOf(FORM)).not.toHaveProperty('developerWallet');
    expect(inputOf({ ...FORM, developerWallet: WALLET })).toMatchObject({ developerWallet: WALLET });
  });

  test.each([
    [{ name: ' ' }, 'name'],
    [{ symbol: '' }, 'symbol'],
    [{ decimals: '12' }, 'decimals'],
    [{ supply: 'many' }, 'supply'],
    [{ decimals: '0', supply: '1.5' }, 'supply'],
    [{ transferFeePercent: '1e1' }, 'transferFeePercent'],
    [{ burnPercent: '1.234' }, 'burnPercent'],
    [{ minimumHoldingRequirement: '-1' }, 'minimumHoldingRequirement'],
  ])('with %j is wrong in %s', (wrong, field) => {
    expect(Object.keys(faultsOf({ ...FORM, ...wrong }))).toEqual([field]);
  });
});

describe('a transaction', () => {
  const wire = (instructions: readonly (readonly [string, readonly number[]])[]) =>
    unsignedTransaction(
      compileLegacyMessage({
        payer: WALLET,
        recentBlockhash: OTHER_PROGRAM,
        instructions: instructions.map(([program, data]) => ({
          program,
          accounts: [],
          data: Uint8Array.from(data),
        })),
      }).bytes,
    );

  test('is told instruction by instruction', () => {
    const told = instructionsOf(
      wire([
        [SYSTEM_PROGRAM, [4, 0, 0, 0]],
        [COMPUTE_BUDGET_PROGRAM, [2, 0, 0, 0, 0]],
        [TOKEN_2022_PROGRAM, [26, 0, ...Array(200).fill(1)]],
      ]),
    );
    expect(told.map(({ program, action }) => `${program} ${action}`)).toEqual([
      'System uses up the service’s nonce, so that this can land once',
      'Compute budget limits the computing that is paid for',
      'Token-2022 sets the tax on transfers',
    ]);
  });

  test('says of what it does not know that it does not', () => {
    expect(instructionsOf(wire([[OTHER_PROGRAM, [1]]]))).toEqual([
      { program: OTHER_PROGRAM, action: 'does something that this page does not know' },
    ]);
  });

  test('that is cut off is refused', () => {
    expect(() => instructionsOf(wire([[OTHER_PROGRAM, [1]]]).slice(0, -1))).toThrow('cut off');
  });
});
