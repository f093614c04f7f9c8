/** The settings by which a token's collected tax is distributed: as events store them, and as the API shows them. */
import { type Static, Type } from '@sinclair/typebox';
import { percentFromBasisPoints } from './percent.ts';
import { Address, Amount, BasisPoints, DistributionInterval, described, wordsOf } from './values.ts';

export const DISTRIBUTION_MODELS = ['proportional', 'square-root'] as const;
export const DistributionModel = wordsOf('DistributionModel', DISTRIBUTION_MODELS);

export const DistributionSettings = Type.Object({
  /** `SOL`, `SELF` or a mint address: see `rewardAsset`. */
  rewardToken: Type.String(),
  distributionModel: DistributionModel,
  /** Base units. */
  minimumHoldingRequirement: Amount,
  sellBasisPoints: BasisPoints,
  distributionEnabled: Type.Boolean(),
  distributionInterval: DistributionInterval,
  burnBasisPoints: BasisPoints,
  developerFeeBasisPoints: BasisPoints,
  developerWallet: Address,
  telegramGroupId: Type.Union([Type.String(), Type.Null()]),
});

export type DistributionSettings = Static<typeof DistributionSettings>;

/** Some of the settings. */
export const SomeSettings = Type.Partial(DistributionSettings);

export interface SettingsChange {
  readonly from: Partial<DistributionSettings>;
  readonly to: Partial<DistributionSettings>;
}

/** The settings of a new token: its creator's choices, and defaults for what cannot be chosen at creation. */
export function settingsAtBirth(
  chosen: Omit<DistributionSettings, 'distributionModel' | 'distributionEnabled' | 'telegramGroupId'>,
): DistributionSettings {
  return {
    rewardToken: chosen.rewardToken,
    distributionModel: 'proportional',
    minimumHoldingRequirement: chosen.minimumHoldingRequirement,
    sellBasisPoints: chosen.sellBasisPoints,
    distributionEnabled: true,
    distributionInterval: chosen.distributionInterval,
    burnBasisPoints: chosen.burnBasisPoints,
    developerFeeBasisPoints: chosen.developerFeeBasisPoints,
    developerWallet: chosen.developerWallet,
    telegramGroupId: null,
  };
}

const NAMES = Object.keys(DistributionSettings.properties) as (keyof DistributionSettings)[];

/**
 * The old and new values of the settings that differ; undefined when none does. Undefined parameters change nothing.
 */
export function settingsChange(
  current: DistributionSettings,
  wanted: Partial<DistributionSettings>,
): SettingsChange | undefined {
  const changed = NAMES.filter((name) => wanted[name] !== undefined && wanted[name] !== current[name]);
  if (changed.length === 0) return undefined;
  const only = (settings: Partial<DistributionSettings>): Partial<DistributionSettings> =>
    Object.fromEntries(changed.map((name) => [name, settings[name]]));
  return { from: only(current), to: only(wanted) };
}

/** The settings as the API shows them: percentages as numbers with at most two decimals. */
export const SettingsView = Type.Object(
  {
    rewardToken: Type.String({ description: '`SOL`, `SELF` or a mint address.' }),
    distributionModel: DistributionModel,
    minimumHoldingRequirement: described(Amount, 'Base units.'),
    percentageToSellPerDistribution: Type.Number(),
    distributionEnabled: Type.Boolean(),
    distributionInterval: DistributionInterval,
    burnPercent: Type.Number(),
    developerFeePercent: Type.Number(),
    developerWallet: Address,
    telegramGroupId: Type.Union([Type.String(), Type.Null()]),
  },
  {
    title: 'DistributionSettings',
    examples: [
      {
        rewardToken: 'SOL',
        distributionModel: 'proportional',
        minimumHoldingRequirement: '1000000',
        percentageToSellPerDistribution: 100,
        distributionEnabled: true,
        distributionInterval: '1h',
        burnPercent: 10,
        developerFeePercent: 5,
        developerWallet: '67aUmvMbgSSnoJVKRifu2SbxdaxJ7rX5tt8MHUbKLGLj',
        telegramGroupId: null,
      },
    ],
  },
);

export type SettingsView = Static<typeof SettingsView>;

export function settingsView(settings: DistributionSettings): SettingsView {
  return {
    rewardToken: settings.rewardToken,
    distributionModel: settings.distributionModel,
    minimumHoldingRequirement: settings.minimumHoldingRequirement,
    percentageToSellPerDistribution: percentFromBasisPoints(settings.sellBasisPoints),
    distributionEnabled: settings.distributionEnabled,
    distributionInterval: settings.distributionInterval,
    burnPercent: percentFromBasisPoints(settings.burnBasisPoints),
    developerFeePercent: percentFromBasisPoints(settings.developerFeeBasisPoints),
    developerWallet: settings.developerWallet,
    telegramGroupId: settings.telegramGroupId,
  };
}

/** Like `settingsView`, for the settings that are present. */
export function someSettingsView(settings: Partial<DistributionSettings>): Partial<SettingsView> {
  const { sellBasisPoints, burnBasisPoints, developerFeeBasisPoints, ...alike } = settings;
  return {
    ...alike,
    ...(sellBasisPoints === undefined
      ? {}
      : { percentageToSellPerDistribution: percentFromBasisPoints(sellBasisPoints) }),
    ...(burnBasisPoints === undefined ? {} : { burnPercent: percentFromBasisPoints(burnBasisPoints) }),
    ...(developerFeeBasisPoints === undefined
      ? {}
      : { developerFeePercent: percentFromBasisPoints(developerFeeBasisPoints) }),
  };
}
