// What the console makes of a form, and what it says of a transaction before it is signed.
import {
  COMPUTE_BUDGET_PROGRAM,
  compileLegacyMessage,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  unsignedTransaction,
} from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { EMPTY_FORM, faultsOf, inputOf, warningsOf } from '../../../console/src/format/token-form.ts';
import { instructionsOf } from '../../../console/src/format/transaction.ts';
import { creationInstructions } from '../../../src/chain/creation-transaction.ts';
import { baseUnitsBetween } from '../../../src/chain/venue/curve.ts';
import { launchInstructions } from '../../../src/chain/venue/venue-instructions.ts';
import { TEXT_LIMITS } from '../../../src/views/input-limits.ts';
import { launchSubject } from '../../support/launch-examples.ts';
import { creationInput } from '../chain/creation-input.ts';

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
    [{ burnPercent: '1.234' }, 'burnPercent'],
    [{ name: '日本語の長い名前です。' }, 'name'],
    [{ symbol: 'SUNRISE☀☀' }, 'symbol'],
    [{ description: 'x'.repeat(1_001) }, 'description'],
    [{ website: 'http://sunrise.example' }, 'website'],
    [{ telegram: `https://t.example/${'x'.repeat(200)}` }, 'telegram'],
    [{ twitter: 'sunrise' }, 'twitter'],
    [{ supply: '0' }, 'supply'],
    [{ supply: '18446744073710' }, 'supply'],
    [{ transferFeePercent: '25.01' }, 'transferFeePercent'],
    [{ burnPercent: '60', developerFeePercent: '40.01' }, 'developerFeePercent'],
    [{ developerWallet: 'me' }, 'developerWallet'],
  ])('with %j is wrong in %s', (wrong, field) => {
    const limits = { ...TEXT_LIMITS, maxTransferFeePercent: 25 };
    expect(Object.keys(faultsOf({ ...FORM, ...wrong }, limits))).toEqual([field]);
  });
});

test.each([
  [{ minimumHoldingRequirement: '1,001' }, ['minimumHoldingRequirement']],
  [{ minimumHoldingRequirement: '1,000' }, []],
  [{ transferFeePercent: '0.00' }, ['transferFeePercent']],
])('a form with %j pays nobody by %j', (typed, fields) => {
  expect(Object.keys(warningsOf({ ...FORM, ...typed }, '1000000000', 6))).toEqual(fields);
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
        [TOKEN_2022_PROGRAM, [26, 5, 0x2c, 0x01, ...Array(8).fill(255)]],
        [TOKEN_2022_PROGRAM, [26, 1]],
        [SYSTEM_PROGRAM, [2, 0, 0, 0, 0, 0xc2, 0xeb, 0x0b, 0, 0, 0, 0]],
      ]),
    );
    expect(told.map(({ program, action }) => `${program} ${action}`)).toEqual([
      'System advances the service’s nonce, so that this transaction can land only once',
      'Compute budget sets the compute limit',
      'Token-2022 sets the tax on transfers to 3\u202f%',
      'Token-2022 another instruction about the tax on transfers',
      'System transfers 0.2 SOL',
    ]);
  });

  test.each([
    [true, 250, '2.5\u202f%'],
    [false, 500, '5\u202f%'],
  ])('that creates a token says its name and tax, as the service makes it (adjustable: %s)', (transferFeeAdjustable, transferFeeBasisPoints, tax) => {
    const instructions = creationInstructions({
      ...creationInput,
      creator: WALLET,
      name: 'Süd “Sun”',
      symbol: 'SUN',
      transferFeeBasisPoints,
      transferFeeAdjustable,
    });
    const { bytes } = compileLegacyMessage({ payer: WALLET, recentBlockhash: OTHER_PROGRAM, instructions });
    const told = instructionsOf(unsignedTransaction(bytes)).map(({ action }) => action);
    expect(told).toContain(`sets the tax on transfers to ${tax}`);
    expect(told).toContain('writes the name “Süd “Sun””, the symbol “SUN” and the address of the metadata');
  });

  test('that launches a token says how much of it the pool takes, and that its liquidity is locked', () => {
    const [sqrtMinPrice, sqrtMaxPrice, liquidity] = [
      launchSubject.sqrtMinPrice,
      launchSubject.sqrtMaxPrice,
      launchSubject.liquidity,
    ].map(BigInt) as [bigint, bigint, bigint];
    const instructions = launchInstructions({
      creator: WALLET,
      mint: OTHER_PROGRAM,
      positionMint: launchSubject.positionMint,
      sqrtMinPrice,
      sqrtMaxPrice,
      liquidity,
    });
    const { bytes } = compileLegacyMessage({ payer: WALLET, recentBlockhash: OTHER_PROGRAM, instructions });
    const units = baseUnitsBetween(liquidity, sqrtMinPrice, sqrtMaxPrice);
    expect(
      instructionsOf(unsignedTransaction(bytes)).map(({ program, action }) => `${program} ${action}`),
    ).toEqual([
      'Token accounts opens your token account',
      'System transfers 0.000\u202f000\u202f001 SOL',
      'Token updates the balance of your wrapped SOL account',
      `Meteora DAMM v2 opens the pool with ${units.toLocaleString('en')} base units of the token`,
      'Meteora DAMM v2 locks the liquidity permanently',
    ]);
  });

  test('says of what it does not know that it does not', () => {
    expect(instructionsOf(wire([[OTHER_PROGRAM, [1]]]))).toEqual([
      { program: OTHER_PROGRAM, action: 'an instruction unknown to this page' },
    ]);
  });

  test('that is cut off is refused', () => {
    expect(() => instructionsOf(wire([[OTHER_PROGRAM, [1]]]).slice(0, -1))).toThrow('cut off');
  });
});
