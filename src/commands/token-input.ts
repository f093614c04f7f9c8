/** Body of create-unsigned: its schema, and the rules that a schema cannot express. Pure. */

import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Uuid } from '../kernel/runtime/ids.ts';
import type { TokenCreation } from '../streams/purposes/token-creation.ts';
import { described } from '../streams/value-types.ts';
import { TEXT_LIMITS } from '../views/input-limits.ts';
import { requireAddresses, walletsOfDeveloperPart } from './developer-wallets.ts';
import {
  createInputProblems,
  Digits,
  distributionFields,
  readAmount,
  readPercent,
  requireRewardToken,
  requireSplitWithin100,
  requireSupportedReward,
  TransferFeePercent,
} from './distribution-input.ts';
import { hiddenCharacter, hiddenCharacterInLines } from './hidden-characters.ts';
import { readLink } from './link-input.ts';

const {
  nameLimits: NAME,
  symbolLimits: SYMBOL,
  descriptionLimits: DESCRIPTION,
  linkLimits: LINK,
} = TEXT_LIMITS;
const ALLOWED_TEXT = 'No invisible, direction-changing or unassigned characters; composed emoji are allowed.';

const Link = (description: string) =>
  Type.String({
    maxLength: LINK.characters,
    description: `${description} An https URL with a public host name, or "" for none. Stored in the form of browsers.`,
  });

/** Default values. The schema states them too, because typed clients send every member with its default. */
const DEFAULTS = {
  link: '',
  burnPercent: 0,
  developerFeePercent: 0,
  distributionInterval: '1h',
  percentageToSellPerDistribution: 100,
  rewardToken: 'SOL',
  minimumHoldingRequirement: '0',
  transferFeeAdjustable: false,
  immutableMetadata: true,
} as const;

function byDefault<Schema extends TSchema>(schema: Schema, preset: Static<Schema>) {
  return Type.Optional({ ...schema, default: preset });
}

export const TokenInput = Type.Object(
  {
    walletId: described(Uuid, 'Id of the wallet from `POST /tokens/generate-distribution-wallet`.'),
    name: Type.String({
      minLength: 1,
      maxLength: 64,
      description: `1-${NAME.characters} characters and at most ${NAME.bytes} bytes of UTF-8. ${ALLOWED_TEXT}`,
    }),
    symbol: Type.String({
      minLength: 1,
      maxLength: 32,
      description: `1-${SYMBOL.characters} characters and at most ${SYMBOL.bytes} bytes of UTF-8. ${ALLOWED_TEXT}`,
    }),
    description: Type.String({
      // The schema counts UTF-16 units; a character has at most two.
      maxLength: 2 * DESCRIPTION.characters,
      description: `Up to ${DESCRIPTION.characters} characters; line breaks and tabs are allowed. ${ALLOWED_TEXT}`,
    }),
    imageUri: Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Address of the image from `POST /tokens/upload-image`.',
    }),
    twitter: byDefault(Link('Social link.'), DEFAULTS.link),
    telegram: byDefault(Link('Social link.'), DEFAULTS.link),
    website: byDefault(Link('Website.'), DEFAULTS.link),
    transferFeePercent: TransferFeePercent,
    ...distributionFields,
    burnPercent: byDefault(distributionFields.burnPercent, DEFAULTS.burnPercent),
    developerFeePercent: byDefault(distributionFields.developerFeePercent, DEFAULTS.developerFeePercent),
    distributionInterval: byDefault(distributionFields.distributionInterval, DEFAULTS.distributionInterval),
    percentageToSellPerDistribution: byDefault(
      distributionFields.percentageToSellPerDistribution,
      DEFAULTS.percentageToSellPerDistribution,
    ),
    rewardToken: byDefault(distributionFields.rewardToken, DEFAULTS.rewardToken),
    minimumHoldingRequirement: byDefault(
      distributionFields.minimumHoldingRequirement,
      DEFAULTS.minimumHoldingRequirement,
    ),
    decimals: Type.Integer({ minimum: 0, maximum: 9 }),
    supply: Digits('Base units, at least 1.'),
    transferFeeAdjustable: byDefault(Type.Boolean(), DEFAULTS.transferFeeAdjustable),
    immutableMetadata: byDefault(Type.Boolean(), DEFAULTS.immutableMetadata),
  },
  {
    additionalProperties: false,
    title: 'TokenInput',
    examples: [
      {
        walletId: '8d5ca3d6-c1eb-5356-a7cb-4e4c9a88e520',
        name: 'Sunrise',
        symbol: 'SUN',
        description: 'Shares its tax with its holders.',
        imageUri:
          'https://levy.example/images/bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy.jpg',
        website: 'https://sunrise.example',
        transferFeePercent: 3.5,
        burnPercent: 10,
        developerFeePercent: 5,
        developerWallet: '67aUmvMbgSSnoJVKRifu2SbxdaxJ7rX5tt8MHUbKLGLj',
        distributionInterval: '1h',
        percentageToSellPerDistribution: 100,
        rewardToken: 'SOL',
        minimumHoldingRequirement: '1000000',
        decimals: 6,
        supply: '1000000000000000',
        transferFeeAdjustable: false,
        immutableMetadata: true,
      },
    ],
  },
);

export type TokenInput = Static<typeof TokenInput>;

/** Token parameters of the body, with every default filled in. */
export type TokenParameters = Omit<
  TokenCreation,
  | 'kind'
  | 'tokenId'
  | 'mintAddress'
  | 'walletId'
  | 'distributionWallet'
  | 'imageCid'
  | 'imageUri'
  | 'metadataUri'
>;

/** Throws `VALIDATION_FAILED` (with all errors), `INVALID_ADDRESS`, `REWARD_TOKEN_UNSUPPORTED` or `SPLIT_EXCEEDS_100`. */
export function readTokenInput(
  body: TokenInput,
  creator: string,
  maxTransferFeeBasisPoints: number,
): TokenParameters {
  const complaints = createInputProblems();
  const wrong = (field: keyof TokenInput, message: string) => complaints.add(field, message);

  const text = (field: 'name' | 'symbol', maximum: number): string => {
    const value = body[field].trim();
    const characters = [...value].length;
    if (characters < 1 || characters > maximum) wrong(field, `must have 1 to ${maximum} characters`);
    else if (Buffer.byteLength(value) > maximum) wrong(field, `must have at most ${maximum} bytes of UTF-8`);
    const hidden = hiddenCharacter(value);
    if (hidden !== undefined) wrong(field, hidden);
    return value;
  };
  const link = (field: 'twitter' | 'telegram' | 'website'): string => {
    const read = readLink(body[field] ?? DEFAULTS.link, LINK.characters);
    if ('wrong' in read) wrong(field, read.wrong);
    return 'link' in read ? read.link : '';
  };
  const share = (field: PercentField): number =>
    readPercent(complaints, field, body[field] ?? DEFAULTS[field]);

  const name = text('name', NAME.bytes);
  const symbol = text('symbol', SYMBOL.bytes);
  if ([...body.description].length > DESCRIPTION.characters)
    wrong('description', `must have at most ${DESCRIPTION.characters} characters`);
  const hidden = hiddenCharacterInLines(body.description);
  if (hidden !== undefined) wrong('description', hidden);
  const { developerWallets = [] } = body;
  const parameters: TokenParameters = {
    name,
    symbol,
    description: body.description,
    twitter: link('twitter'),
    telegram: link('telegram'),
    website: link('website'),
    transferFeeBasisPoints: readPercent(
      complaints,
      'transferFeePercent',
      body.transferFeePercent,
      maxTransferFeeBasisPoints,
    ),
    burnBasisPoints: share('burnPercent'),
    developerFeeBasisPoints: share('developerFeePercent'),
    developerWallet: body.developerWallet ?? creator,
    ...(developerWallets.length > 0 && { developerWallets }),
    distributionInterval: body.distributionInterval ?? DEFAULTS.distributionInterval,
    sellBasisPoints: share('percentageToSellPerDistribution'),
    rewardToken: body.rewardToken ?? DEFAULTS.rewardToken,
    minimumHoldingRequirement: readAmount(
      complaints,
      'minimumHoldingRequirement',
      body.minimumHoldingRequirement ?? DEFAULTS.minimumHoldingRequirement,
    ),
    decimals: body.decimals,
    supply: readAmount(complaints, 'supply', body.supply, 1n),
    transferFeeAdjustable: body.transferFeeAdjustable ?? DEFAULTS.transferFeeAdjustable,
    immutableMetadata: body.immutableMetadata ?? DEFAULTS.immutableMetadata,
  };
  complaints.raise('Invalid token; see the details.');
  requireAddresses(walletsOfDeveloperPart(parameters));
  requireRewardToken(parameters.rewardToken);
  // The mint's key does not exist yet, so no input can contain it.
  requireSupportedReward(parameters.rewardToken, undefined);
  requireSplitWithin100(parameters);
  return parameters;
}

type PercentField = 'burnPercent' | 'developerFeePercent' | 'percentageToSellPerDistribution';
