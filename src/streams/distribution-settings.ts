/** Settings of a token's distribution, as stored in events and as shown by the API. */
import { isDeepStrictEqual } from 'node:util';
import { type Static, Type } from '@sinclair/typebox';
import { DeveloperShare, DeveloperWallets } from './developer-share.ts';
import { PartnerName } from './partners.ts';
import { percentFromBasisPoints } from './percent.ts';
import {
  Address,
  Amount,
  BasisPoints,
  DistributionInterval,
  described,
  enumOf,
  orNull,
} from './value-types.ts';

export const DISTRIBUTION_MODELS = ['proportional', 'square-root'] as const;
export const DistributionModel = enumOf('DistributionModel', DISTRIBUTION_MODELS);

export const PartnerShare = Type.Object(
  { partner: PartnerName, ...DeveloperShare.properties },
  {
    title: 'PartnerShare',
    description:
      "Partner with whose key the token was created, and its share of the developer's part. Recorded at creation; never changes.",
  },
);

export type PartnerShare = Static<typeof PartnerShare>;

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
  /** Absent until the creator sets it. */
  developerWallets: Type.Optional(DeveloperWallets),
  partnerShare: Type.Optional(PartnerShare),
  telegramGroupId: orNull(Type.String()),
});

export type DistributionSettings = Static<typeof DistributionSettings>;

export const SomeSettings = Type.Partial(DistributionSettings);

export interface SettingsChange {
  readonly from: Partial<DistributionSettings>;
  readonly to: Partial<DistributionSettings>;
}

/** Settings of a new token: the creator's choices, and defaults for settings that cannot be chosen at creation. */
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
    ...(chosen.developerWallets && { developerWallets: chosen.developerWallets }),
    ...(chosen.partnerShare && { partnerShare: chosen.partnerShare }),
    telegramGroupId: null,
  };
}

const NAMES = Object.keys(DistributionSettings.properties) as (keyof DistributionSettings)[];

/** Old and new values of the changed settings; undefined if nothing changes. Undefined parameters change nothing. */
export function settingsChange(
  current: DistributionSettings,
  wanted: Partial<DistributionSettings>,
): SettingsChange | undefined {
  const before: Partial<DistributionSettings> = { developerWallets: [], ...current };
  const changed = NAMES.filter(
    (name) => wanted[name] !== undefined && !isDeepStrictEqual(wanted[name], before[name]),
  );
  if (changed.length === 0) return undefined;
  const only = (settings: Partial<DistributionSettings>): Partial<DistributionSettings> =>
    Object.fromEntries(changed.map((name) => [name, settings[name]]));
  return { from: only(before), to: only(wanted) };
}

const publicView = {
  rewardToken: Type.String({ description: '`SOL`, `SELF` or a mint address.' }),
  distributionModel: DistributionModel,
  minimumHoldingRequirement: described(Amount, 'Base units.'),
  percentageToSellPerDistribution: Type.Number(),
  distributionEnabled: Type.Boolean(),
  distributionInterval: DistributionInterval,
  burnPercent: Type.Number(),
  developerFeePercent: Type.Number(),
  developerWallet: Address,
  developerWallets: DistributionSettings.properties.developerWallets,
  partnerShare: DistributionSettings.properties.partnerShare,
};

const publicExample = {
  rewardToken: 'SOL',
  distributionModel: 'proportional',
  minimumHoldingRequirement: '1000000',
  percentageToSellPerDistribution: 100,
  distributionEnabled: true,
  distributionInterval: '1h',
  burnPercent: 10,
  developerFeePercent: 5,
  developerWallet: '67aUmvMbgSSnoJVKRifu2SbxdaxJ7rX5tt8MHUbKLGLj',
};

export const PublicSettings = Type.Object(publicView, {
  title: 'PublicDistributionSettings',
  description: "The current settings, without the creator's chat group.",
  examples: [publicExample],
});

export type PublicSettings = Static<typeof PublicSettings>;

/** The settings as the API shows them: percentages as numbers with at most two decimals. */
export const SettingsView = Type.Object(
  { ...publicView, telegramGroupId: DistributionSettings.properties.telegramGroupId },
  { title: 'DistributionSettings', examples: [{ ...publicExample, telegramGroupId: null }] },
);

export type SettingsView = Static<typeof SettingsView>;

/** Settings that the API shows as percentages, under other names. */
const PERCENTAGES = {
  sellBasisPoints: 'percentageToSellPerDistribution',
  burnBasisPoints: 'burnPercent',
  developerFeeBasisPoints: 'developerFeePercent',
} as const;

type PublicName<Name> = Name extends keyof typeof PERCENTAGES ? (typeof PERCENTAGES)[Name] : Name;

type Public<Some> = {
  [Name in keyof Some as PublicName<Name>]: SettingsView[PublicName<Name> & keyof SettingsView];
};

/** Converts the settings that are present, in their order. */
export function settingsView<Some extends Partial<DistributionSettings>>(settings: Some): Public<Some> {
  const shown = Object.entries(settings).map(([name, value]) =>
    name in PERCENTAGES
      ? [PERCENTAGES[name as keyof typeof PERCENTAGES], percentFromBasisPoints(Number(value))]
      : [name, value],
  );
  return Object.fromEntries(shown) as Public<Some>;
}
