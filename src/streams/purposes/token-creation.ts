/** Purpose of drafts that create a token. */
import { type Static, Type } from '@sinclair/typebox';
import { Uuid } from '../../kernel/runtime/ids.ts';
import { DeveloperWallets } from '../developer-share.ts';
import { PartnerShare } from '../distribution-settings.ts';
import { Address, Amount, BasisPoints, DistributionInterval } from '../value-types.ts';
import { definePurpose, subjectOf } from './define-purpose.ts';

/** Parameters of a new token, with all defaults filled in. */
export const TokenCreation = subjectOf('token-creation', {
  walletId: Uuid,
  distributionWallet: Address,
  name: Type.String({ examples: ['Sunrise'] }),
  symbol: Type.String({ examples: ['SUN'] }),
  description: Type.String({ examples: ['Shares its tax with its holders.'] }),
  imageCid: Type.String(),
  /** URI at the time of issue; only the CID counts. */
  imageUri: Type.String({
    examples: ['https://levy.example/images/bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy.jpg'],
  }),
  /** Metadata address in the transaction. */
  metadataUri: Type.String(),
  twitter: Type.String({ examples: [''] }),
  telegram: Type.String({ examples: [''] }),
  website: Type.String({ examples: ['https://sunrise.example/'] }),
  transferFeeBasisPoints: BasisPoints,
  burnBasisPoints: BasisPoints,
  developerFeeBasisPoints: BasisPoints,
  developerWallet: Address,
  developerWallets: Type.Optional(DeveloperWallets),
  partnerShare: Type.Optional(PartnerShare),
  distributionInterval: DistributionInterval,
  sellBasisPoints: BasisPoints,
  /** `SOL`, `SELF` or a mint address: see `rewardAsset`. */
  rewardToken: Type.String(),
  minimumHoldingRequirement: Amount,
  decimals: Type.Integer({ minimum: 0, maximum: 9, examples: [6] }),
  supply: Amount,
  transferFeeAdjustable: Type.Boolean({ examples: [false] }),
  immutableMetadata: Type.Boolean(),
  partner: Type.Optional(
    Type.String({
      description: 'Partner whose key requested the draft; absent without a key.',
      examples: ['acme'],
    }),
  ),
});

export type TokenCreation = Static<typeof TokenCreation>;

/** Recorded as soon as it is confirmed, because its creator is waiting; a fork can revert it. */
export const tokenCreationPurpose = definePurpose({
  subject: TokenCreation,
  recordedWhen: 'confirmed',
  recordedBy: 'TokenCreated',
  revertedBy: 'TokenCreationReverted',
});
