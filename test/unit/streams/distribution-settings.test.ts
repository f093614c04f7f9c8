// The settings of a token's distribution: as it is born with them, as they change, and as people read them.
import { describe, expect, test } from 'vitest';
import {
  type DistributionSettings,
  settingsAtBirth,
  settingsChange,
  settingsView,
} from '../../../src/streams/distribution-settings.ts';
import { addresses, token as born } from '../../support/domain-examples.ts';

const atBirth: DistributionSettings = {
  rewardToken: 'SOL',
  distributionModel: 'proportional',
  minimumHoldingRequirement: '0',
  sellBasisPoints: 10_000,
  distributionEnabled: true,
  distributionInterval: '1h',
  burnBasisPoints: 1_050,
  developerFeeBasisPoints: 7,
  developerWallet: addresses.creator,
  telegramGroupId: null,
};

test('a token is born with what its creation says: enabled, proportional, in no group', () => {
  expect(settingsAtBirth(born)).toEqual(atBirth);
});

test('what changes is recorded in the order of the settings, not of the wishes', () => {
  const change = settingsChange(atBirth, { telegramGroupId: 'x', rewardToken: addresses.mint });
  expect(JSON.stringify(change?.to)).toBe(`{"rewardToken":"${addresses.mint}","telegramGroupId":"x"}`);
});

describe('people read', () => {
  test('all of them in the names and order of the contract, percentages as they write them', () => {
    expect(JSON.stringify(settingsView({ ...atBirth, burnBasisPoints: 29 }))).toBe(
      JSON.stringify({
        rewardToken: 'SOL',
        distributionModel: 'proportional',
        minimumHoldingRequirement: '0',
        percentageToSellPerDistribution: 100,
        distributionEnabled: true,
        distributionInterval: '1h',
        burnPercent: 0.29,
        developerFeePercent: 0.07,
        developerWallet: addresses.creator,
        telegramGroupId: null,
      }),
    );
  });

  test('some of them as they read all of them', () => {
    for (const name of Object.keys(atBirth) as (keyof DistributionSettings)[]) {
      const [[field, value] = []] = Object.entries(settingsView({ [name]: atBirth[name] }));
      expect({ ...settingsView(atBirth), [field ?? '']: value }).toEqual(settingsView(atBirth));
    }
    expect(settingsView({})).toEqual({});
  });
});
