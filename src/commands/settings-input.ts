/** Body of a settings change: its schema, and the rules that a schema cannot express. Pure. */
import { type Static, Type } from '@sinclair/typebox';
import { DistributionModel, type DistributionSettings } from '../streams/distribution-settings.ts';
import { orNull } from '../streams/value-types.ts';
import { requireAddresses, walletsOfDeveloperPart } from './developer-wallets.ts';
import {
  createInputProblems,
  distributionFields,
  readAmount,
  readPercent,
  requireRewardToken,
} from './distribution-input.ts';

export const SettingsInput = Type.Object(
  {
    ...distributionFields,
    distributionModel: Type.Optional(DistributionModel),
    distributionEnabled: Type.Optional(Type.Boolean()),
    telegramGroupId: Type.Optional(
      orNull(Type.String({ maxLength: 65, pattern: '^(@?[A-Za-z0-9_-]{1,64})?$' }), {
        description:
          'Id or name of the group, such as `-1001234567890` or `@name`. Null removes it, and so does "", because some typed clients cannot send null.',
      }),
    ),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    title: 'SettingsInput',
    examples: [{ distributionInterval: '6h', burnPercent: 12.5, telegramGroupId: '-1001234567890' }],
  },
);

export type SettingsInput = Static<typeof SettingsInput>;

/** Parses the requested changes; undefined for settings that do not change. Throws `VALIDATION_FAILED` or `INVALID_ADDRESS`. */
export function readSettingsInput(body: SettingsInput): Partial<DistributionSettings> {
  const complaints = createInputProblems();
  const share = (field: 'percentageToSellPerDistribution' | 'burnPercent' | 'developerFeePercent') => {
    const percent = body[field];
    return percent === undefined ? undefined : readPercent(complaints, field, percent);
  };
  const { minimumHoldingRequirement: minimum } = body;
  const wanted = {
    rewardToken: body.rewardToken,
    distributionModel: body.distributionModel,
    minimumHoldingRequirement:
      minimum === undefined ? undefined : readAmount(complaints, 'minimumHoldingRequirement', minimum),
    sellBasisPoints: share('percentageToSellPerDistribution'),
    distributionEnabled: body.distributionEnabled,
    distributionInterval: body.distributionInterval,
    burnBasisPoints: share('burnPercent'),
    developerFeeBasisPoints: share('developerFeePercent'),
    developerWallet: body.developerWallet,
    developerWallets: body.developerWallets,
    telegramGroupId: body.telegramGroupId === '' ? null : body.telegramGroupId,
  };
  complaints.raise('Invalid settings; see the details.');
  requireAddresses(walletsOfDeveloperPart(wanted));
  if (wanted.rewardToken !== undefined) requireRewardToken(wanted.rewardToken);
  return wanted;
}
