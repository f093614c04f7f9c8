// The settings of a token's distribution: as it is born with them, as they change, and as people read them.
import { describe, expect, test } from 'vitest';
import {
  type DistributionSettings,
  settingsAtBirth,
  settingsChange,
  settingsView,
} from '../../../src/streams/distribution-settings.ts';
import {
  DistributionSettingsUpdated,
  ownedToken,
  TokenCreationReverted,
  token,
} from '../../../src/streams/token.ts';
import { addresses, token as born, ids, tokenCreated } from '../../support/domain-examples.ts';

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

const { tokenId, transactionId } = ids;
const updated = DistributionSettingsUpdated({
  tokenId,
  from: { burnBasisPoints: 1_050, telegramGroupId: null },
  to: { burnBasisPoints: 29, telegramGroupId: '@levy' },
});

test('a token is born with what its creation says: enabled, proportional, in no group', () => {
  expect(settingsAtBirth(born)).toEqual(atBirth);
});

describe('what changes', () => {
  test('is told from both sides, and nothing else is', () => {
    const wished = { burnBasisPoints: 29, rewardToken: 'SOL', telegramGroupId: '@levy' };
    expect(settingsChange(atBirth, wished)).toEqual({
      from: { burnBasisPoints: 1_050, telegramGroupId: null },
      to: { burnBasisPoints: 29, telegramGroupId: '@levy' },
    });
  });

  test('is nothing where the wishes are so already, or none', () => {
    for (const wished of [{}, atBirth, { telegramGroupId: null }, { burnBasisPoints: undefined }]) {
      expect(settingsChange(atBirth, wished)).toBeUndefined();
    }
  });

  test('is told in the order of the settings, not of the wishes', () => {
    const change = settingsChange(atBirth, { telegramGroupId: 'x', rewardToken: addresses.mint });
    expect(JSON.stringify(change?.to)).toBe(`{"rewardToken":"${addresses.mint}","telegramGroupId":"x"}`);
  });

  test('may be turned off or emptied: false, zero and null are values', () => {
    const change = settingsChange(
      { ...atBirth, telegramGroupId: 'x' },
      { distributionEnabled: false, burnBasisPoints: 0, telegramGroupId: null },
    );
    expect(change?.to).toEqual({ distributionEnabled: false, burnBasisPoints: 0, telegramGroupId: null });
  });
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

describe('a token', () => {
  const created = token.evolve(token.initial, tokenCreated);
  const changed = token.evolve(created, updated);
  const reverted = TokenCreationReverted({ tokenId, transactionId });

  test('has the settings of its birth, then those that were changed', () => {
    expect(ownedToken(created)).toEqual({ creator: addresses.creator, settings: atBirth });
    expect(ownedToken(changed)?.settings).toEqual({
      ...atBirth,
      burnBasisPoints: 29,
      telegramGroupId: '@levy',
    });
  });

  test('that does not exist is nobody’s', () => {
    expect(ownedToken(undefined)).toBeUndefined();
    expect(ownedToken(token.evolve(changed, reverted))).toBeUndefined();
    expect(token.evolve(undefined, updated)).toBeUndefined();
  });

  test('that is created anew is as it was born', () => {
    const anew = token.evolve(token.evolve(changed, reverted), tokenCreated);
    expect(ownedToken(anew)?.settings).toEqual(atBirth);
  });
});
