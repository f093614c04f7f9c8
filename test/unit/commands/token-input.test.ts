// What a token may be: every rule of the body of create-unsigned, at and beyond its bounds.
import { Value } from '@sinclair/typebox/value';
import { NATIVE_MINT, NATIVE_MINT_2022 } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { readTokenInput, TokenInput } from '../../../src/commands/token-input.ts';
import { rejectionOf } from '../../support/command-spec.ts';
import { addresses, ids, token } from '../../support/domain-examples.ts';

/** Every optional field is left out. */
const tokenInput: TokenInput = {
  walletId: ids.walletId,
  name: 'Levy Example',
  symbol: 'LEVY',
  description: '',
  imageUri: token.imageUri,
  transferFeePercent: 1.23,
  decimals: 6,
  supply: '1000000000000000',
};

const MAX_FEE = 1_000;

type Changes = { readonly [field: string]: unknown };

function read(changes: Changes) {
  const body: unknown = { ...tokenInput, ...changes };
  Value.Assert(TokenInput, body);
  return readTokenInput(body, addresses.creator, MAX_FEE);
}

/** The fields about which the rules complain. */
function problems(changes: Changes): readonly string[] {
  const { code, details = [] } = rejectionOf(() => read(changes));
  expect(code).toBe('VALIDATION_FAILED');
  return details.map(({ path }) => path.join('.'));
}

const fits = (changes: Changes) => Value.Check(TokenInput, { ...tokenInput, ...changes });

describe('the schema', () => {
  test('takes the smallest body', () => {
    expect(Value.Check(TokenInput, tokenInput)).toBe(true);
  });

  test.each(Object.keys(tokenInput))('needs %s', (field) => {
    const { [field]: _left, ...rest } = tokenInput as unknown as Changes;
    expect(Value.Check(TokenInput, rest)).toBe(false);
  });

  test('refuses a field that it does not know: a typo must not be ignored', () => {
    expect(fits({ burnPercentage: 5 })).toBe(false);
  });

  // `update-settings.test.ts` has the rows of the distribution's fields.
  test.each([
    ['walletId', ['', 'not a uuid', '7C9E6679-7425-40DE-944B-E07FC1F90AE7', 7]],
    ['name', ['', 'x'.repeat(65), 7, null]],
    ['symbol', ['', 'x'.repeat(33), null]],
    ['description', ['x'.repeat(2_001), null]],
    ['imageUri', ['', 'x'.repeat(501)]],
    ['twitter', ['x'.repeat(201), null]],
    ['transferFeePercent', [-0.01, 100.01, '1', null, Number.NaN, Number.POSITIVE_INFINITY]],
    ['decimals', [-1, 10, 1.5, '6']],
    ['supply', ['', '00', '01', '007', '-1', '1.5', '1e3', '١', '1'.repeat(21), 1]],
    ['transferFeeAdjustable', ['true', 1, null]],
    ['immutableMetadata', ['true', 0, null]],
  ] as const)('refuses %s that cannot be meant', (field, values) => {
    for (const value of values) expect([value, fits({ [field]: value })]).toEqual([value, false]);
  });
});

describe('what is left out', () => {
  test('gets its default', () => {
    expect(read({})).toEqual({
      name: 'Levy Example',
      symbol: 'LEVY',
      description: '',
      twitter: '',
      telegram: '',
      website: '',
      transferFeeBasisPoints: 123,
      burnBasisPoints: 0,
      developerFeeBasisPoints: 0,
      developerWallet: addresses.creator,
      distributionInterval: '1h',
      sellBasisPoints: 10_000,
      rewardToken: 'SOL',
      minimumHoldingRequirement: '0',
      decimals: 6,
      supply: '1000000000000000',
      transferFeeAdjustable: false,
      immutableMetadata: true,
    });
  });

  test('is not what is given', () => {
    const given = {
      description: 'Two\nlines,\ta tab.',
      twitter: 'https://x.example/levy',
      telegram: 'https://t.example/levy',
      website: 'https://levy.example/%C3%BC?a=b#c',
      burnPercent: 12.5,
      developerFeePercent: 0.01,
      developerWallet: addresses.otherCreator,
      distributionInterval: '24h',
      percentageToSellPerDistribution: 0,
      rewardToken: 'SELF',
      minimumHoldingRequirement: '18446744073709551615',
      decimals: 0,
      transferFeeAdjustable: true,
      immutableMetadata: false,
    };
    const { burnPercent, developerFeePercent, percentageToSellPerDistribution, ...alike } = given;
    expect(read(given)).toMatchObject({
      ...alike,
      burnBasisPoints: 1_250,
      developerFeeBasisPoints: 1,
      sellBasisPoints: 0,
    });
  });
});

describe.each([
  ['name', 32],
  ['symbol', 10],
] as const)('the %s', (field, maximum) => {
  test(`has 1 to ${maximum} characters, without the blanks around it`, () => {
    expect(read({ [field]: 'x' })[field]).toBe('x');
    expect(read({ [field]: 'x'.repeat(maximum) })[field]).toBe('x'.repeat(maximum));
    expect(read({ [field]: ` ${'x'.repeat(maximum)}\t\u00a0` })[field]).toBe('x'.repeat(maximum));
    expect(problems({ [field]: 'x'.repeat(maximum + 1) })).toEqual([field]);
    expect(problems({ [field]: '   ' })).toEqual([field]);
  });

  test(`takes up to ${maximum} bytes, which is not the same as characters`, () => {
    expect(read({ [field]: 'é'.repeat(maximum / 2) })[field]).toBe('é'.repeat(maximum / 2));
    expect(problems({ [field]: `${'é'.repeat(maximum / 2)}x` })).toEqual([field]);
  });

  // Each kind of character is in `shown-text.test.ts`.
  test.each([
    ['a line break', 'a\nb'],
    ['half a character', 'a\ud83d'],
    ['a character that turns what follows it', 'a\u202eb'],
    ['nothing but characters that show nothing', '\u200b\u3164'],
  ])('has not %s', (_what, value) => {
    expect(problems({ [field]: value })).toEqual([field]);
  });
});

describe('the description', () => {
  test('has up to 1,000 characters, of any script', () => {
    for (const character of ['x', 'é', '🚀']) {
      expect(read({ description: character.repeat(1_000) }).description).toBe(character.repeat(1_000));
    }
    expect(problems({ description: 'x'.repeat(1_001) })).toEqual(['description']);
    expect(problems({ description: `${'🚀'.repeat(999)}xx` })).toEqual(['description']);
  });

  test('may have lines and tabs', () => {
    const description = 'One\r\ntwo\n\tthree\u00a0\u3000four 👩\u200d🚀';
    expect(read({ description }).description).toBe(description);
  });

  test.each(['\0', 'pay to \u202eabc'])('has no other character that hides or turns: %j', (description) => {
    expect(problems({ description })).toEqual(['description']);
  });
});

describe.each(['twitter', 'telegram', 'website'] as const)('the link %s', (field) => {
  test.each(['', '   '])('may be left empty: %j', (link) => {
    expect(read({ [field]: link })[field]).toBe('');
  });

  test.each([
    'https://levy.example',
    'HTTPS://levy.example/a',
    ' https://levy.example/ä?b=c#d ',
  ])('may be %j', (link) => {
    expect(read({ [field]: link })[field]).toBe(new URL(link).href);
  });

  test.each([
    'http://levy.example',
    'javascript:alert(1)',
    'levy.example',
    '//levy.example',
    'https://',
    'https:levy.example',
    'https:\\\\levy.example',
    'https://levy.example/a b',
    'https://levy.example/a\nb',
    'https://levy.example/\0',
    'https://levy.example/\ud800',
    'java\nscript:alert(1)',
    'https://user:pw@levy.example',
    'https://127.0.0.1',
    'https://0x7f.1',
    'https://[::1]/',
    'https://levy',
    'https://le\u00advy.example',
    'https://levy.example/\u200b',
  ])('may not be %j', (link) => {
    expect(problems({ [field]: link })).toEqual([field]);
  });

  test('is stored after encoding, so that no page need repair it', () => {
    expect(read({ [field]: 'https://levy.example/"><script>alert(1)</script>' })[field]).toBe(
      'https://levy.example/%22%3E%3Cscript%3Ealert(1)%3C/script%3E',
    );
    expect(read({ [field]: 'https://LEVY.example:443/a/../b' })[field]).toBe('https://levy.example/b');
    expect(read({ [field]: 'https://levy.example:8443' })[field]).toBe('https://levy.example:8443/');
  });

  test('has up to 200 characters, in that form too', () => {
    const fits = `https://levy.example/${'x'.repeat(179)}`;
    expect(read({ [field]: fits })[field]).toBe(fits);
    const { details } = rejectionOf(() => read({ [field]: `https://levy.example/${'ü'.repeat(31)}` }));
    expect(details).toEqual([
      {
        path: [field],
        message: 'must have at most 200 characters, and has 207 after encoding',
      },
    ]);
  });
});

describe('percentages', () => {
  test('a transfer fee is at most what the operator allows', () => {
    expect(read({ transferFeePercent: 10 }).transferFeeBasisPoints).toBe(1_000);
    expect(read({ transferFeePercent: 0 }).transferFeeBasisPoints).toBe(0);
    const { details } = rejectionOf(() => read({ transferFeePercent: 10.01 }));
    expect(details).toEqual([{ path: ['transferFeePercent'], message: 'must be at most 10' }]);
  });

  test('burning and the developer may share the whole tax, and no more', () => {
    expect(read({ burnPercent: 99.99, developerFeePercent: 0.01 })).toMatchObject({
      burnBasisPoints: 9_999,
      developerFeeBasisPoints: 1,
    });
    const refused = rejectionOf(() => read({ burnPercent: 99.99, developerFeePercent: 0.02 }));
    expect(refused).toMatchObject({ code: 'SPLIT_EXCEEDS_100', kind: 'invalid' });
    expect(rejectionOf(() => read({ burnPercent: 100, developerFeePercent: 100 })).code).toBe(
      'SPLIT_EXCEEDS_100',
    );
  });
});

describe('amounts', () => {
  test('are a u64: 1 to 18,446,744,073,709,551,615 for the supply, and from 0 for the holding', () => {
    expect(read({ supply: '1' }).supply).toBe('1');
    expect(read({ supply: '18446744073709551615' }).supply).toBe('18446744073709551615');
    expect(problems({ supply: '0' })).toEqual(['supply']);
    expect(problems({ supply: '18446744073709551616' })).toEqual(['supply']);
    expect(read({ minimumHoldingRequirement: '0' }).minimumHoldingRequirement).toBe('0');
  });
});

describe('addresses', () => {
  // Off the curve: a derived address, as multisig vaults have.
  const derived = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';

  test('of the developer may be derived ones: they only receive', () => {
    expect(read({ developerWallet: derived }).developerWallet).toBe(derived);
  });

  test.each([
    ['the System program', '1'.repeat(32)],
    ['a precompile', 'Ed25519SigVerify111111111111111111111111111'],
    ['a sysvar', 'SysvarC1ock11111111111111111111111111111111'],
  ])('of the developer cannot be %s: the chain refuses every payment to it', (_what, developerWallet) => {
    expect(rejectionOf(() => read({ developerWallet }))).toMatchObject({
      code: 'INVALID_ADDRESS',
      kind: 'invalid',
      details: [{ path: ['developerWallet'] }],
    });
  });

  test.each(['developerWallet', 'rewardToken'])('%s must be 32 bytes in base58', (field) => {
    for (const wrong of ['z'.repeat(44), `0${addresses.mint.slice(1)}`])
      expect(rejectionOf(() => read({ [field]: wrong }))).toMatchObject({
        code: 'INVALID_ADDRESS',
        kind: 'invalid',
        details: [{ path: [field] }],
      });
  });

  test('the reward is SOL or SELF in these very letters, or the mint of wrapped SOL', () => {
    for (const rewardToken of ['SOL', 'SELF', NATIVE_MINT])
      expect(read({ rewardToken }).rewardToken).toBe(rewardToken);
    for (const wrong of ['sol', 'self', 'WSOL'])
      expect(rejectionOf(() => read({ rewardToken: wrong })).code).toBe('INVALID_ADDRESS');
  });

  test('the reward cannot be another token, and not the new one by its mint, which nobody knows yet', () => {
    for (const rewardToken of [addresses.mint, addresses.creator, NATIVE_MINT_2022])
      expect(rejectionOf(() => read({ rewardToken }))).toMatchObject({
        code: 'REWARD_TOKEN_UNSUPPORTED',
        kind: 'unprocessable',
        details: [{ path: ['rewardToken'] }],
      });
  });
});

test('everything that is wrong is listed at once', () => {
  const wrong = {
    name: 'x'.repeat(33),
    symbol: 'a\nb',
    description: '\0',
    twitter: 'http://x.example',
    telegram: 'telegram',
    website: 'ftp://x.example',
    transferFeePercent: 11,
    burnPercent: 0.001,
    developerFeePercent: 1.001,
    percentageToSellPerDistribution: 1.001,
    minimumHoldingRequirement: '18446744073709551616',
    supply: '0',
  };
  expect([...problems(wrong)].sort()).toEqual(Object.keys(wrong).sort());
});
