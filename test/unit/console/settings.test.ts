// What the console makes of a token's settings: what would change, and what stands when another one was quicker.
import { describe, expect, test } from 'vitest';
import {
  changeOf,
  faultsOf,
  formOf,
  linesOf,
  rebased,
  type Settings,
} from '../../../console/src/format/settings-form.ts';

const SETTINGS: Settings = {
  rewardToken: 'SOL',
  distributionModel: 'proportional',
  minimumHoldingRequirement: '1234567500000',
  percentageToSellPerDistribution: 100,
  distributionEnabled: true,
  distributionInterval: '1h',
  burnPercent: 10,
  developerFeePercent: 5,
  developerWallet: '67aUmvMbgSSnoJVKRifu2SbxdaxJ7rX5tt8MHUbKLGLj',
  telegramGroupId: null,
};
const FORM = formOf(SETTINGS, 6);

describe('the form of settings', () => {
  test('that was not touched changes nothing', () => {
    expect(faultsOf(FORM, 6)).toEqual({});
    expect(changeOf(FORM, SETTINGS, 6)).toEqual({});
  });

  test('sends what differs, in base units and numbers', () => {
    const form = {
      ...FORM,
      burnPercent: '12.5',
      minimumHoldingRequirement: '2,000.5',
      distributionEnabled: false,
    };
    expect(changeOf(form, SETTINGS, 6)).toEqual({
      burnPercent: 12.5,
      minimumHoldingRequirement: '2000500000',
      distributionEnabled: false,
    });
  });

  test.each([
    ['burnPercent', 'ten'],
    ['developerFeePercent', ''],
    ['percentageToSellPerDistribution', '1.234'],
    ['minimumHoldingRequirement', '0.0000001'],
  ] as const)('refuses a %s of "%s"', (name, typed) => {
    expect(Object.keys(faultsOf({ ...FORM, [name]: typed }, 6))).toEqual([name]);
  });

  test('reads the wallets of the developer’s part from lines, and shows them again as it read them', () => {
    const [one, other] = [SETTINGS.developerWallet, 'FCvhetuRQXVjFaFtLY8kAYFYRHpCLMsBabJ8GLrBX8iT'];
    const typed = { ...FORM, developerWallets: ` ${one} 25%\n\n${other}  0.29 ` };
    const developerWallets = [
      { wallet: one, basisPoints: 2_500 },
      { wallet: other, basisPoints: 29 },
    ];
    expect([faultsOf(typed, 6), changeOf(typed, SETTINGS, 6)]).toEqual([{}, { developerWallets }]);
    const after = { ...SETTINGS, developerWallets };
    expect(formOf(after, 6).developerWallets).toBe(`${one} 25\n${other} 0.29`);
    expect(changeOf(formOf(after, 6), after, 6)).toEqual({});
    expect(changeOf(FORM, after, 6)).toEqual({ developerWallets: [] });
    expect(linesOf({ developerWallets }, 6).map(({ text }) => text)).toEqual([
      `25\u202f% ${one}, 0.29\u202f% ${other}`,
    ]);
  });

  test.each([
    ['nobody 25', /Line 1 must begin/],
    [SETTINGS.developerWallet, /Line 1 must have/],
    [`${SETTINGS.developerWallet} 1.234`, /Line 1 must have/],
    [`${SETTINGS.developerWallet} 0`, /more than 0/],
    [`${SETTINGS.developerWallet} 1\n`.repeat(11), /At most ten/],
    [`${SETTINGS.developerWallet} 75.01`, /at most 100 %/],
  ])('refuses the wallets "%s"', (developerWallets, fault) => {
    const partnerShare = { partner: 'acme', wallet: SETTINGS.developerWallet, basisPoints: 2_500 };
    expect(faultsOf({ ...FORM, developerWallets }, 6, partnerShare).developerWallets).toMatch(fault);
    const whole = { ...FORM, developerWallets: `${SETTINGS.developerWallet} 75` };
    expect(faultsOf(whole, 6, partnerShare)).toEqual({});
  });

  test('keeps what was typed on what another one saved, and follows it elsewhere', () => {
    const typed = { ...FORM, burnPercent: '20' };
    const after: Settings = { ...SETTINGS, burnPercent: 30, distributionInterval: '6h' };
    const form = rebased(typed, SETTINGS, after, 6);
    expect(form).toEqual({ ...FORM, burnPercent: '20', distributionInterval: '6h' });
    expect(changeOf(form, after, 6)).toEqual({ burnPercent: 20 });
  });

  test('reads as sentences, in the order of the form', () => {
    expect(
      linesOf({ burnPercent: 12.5, distributionEnabled: false, distributionInterval: '6h' }, 6).map(
        ({ label, text }) => `${label}: ${text.replaceAll(/\s/gu, ' ')}`,
      ),
    ).toEqual([
      'Distribution: switched off',
      'Distribution interval: every 6 hours',
      'Burned (% of the tax): 12.5 %',
    ]);
  });
});
