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
