/** The purpose of drafts that create a token. */
import { type Static, Type } from '@sinclair/typebox';
import { Uuid } from '../../kernel/runtime/ids.ts';
import { Address, Amount, BasisPoints, DistributionInterval } from '../values.ts';
import { definePurpose, subjectOf } from './define-purpose.ts';

/** The parameters of a new token, with every default filled in. */
export const TokenCreation = subjectOf('token-creation', {
  walletId: Uuid,
  distributionWallet: Address,
  name: Type.String(),
  symbol: Type.String(),
  description: Type.String(),
  imageCid: Type.String(),
  /** The URI as it was when the draft was issued; only the CID counts. */
  imageUri: Type.String(),
  /** The metadata address that the transaction carries. */
  metadataUri: Type.String(),
  twitter: Type.String(),
  telegram: Type.String(),
  website: Type.String(),
  transferFeeBasisPoints: BasisPoints,
  burnBasisPoints: BasisPoints,
  developerFeeBasisPoints: BasisPoints,
  developerWallet: Address,
  distributionInterval: DistributionInterval,
  sellBasisPoints: BasisPoints,
  /** `SOL`, `SELF` or a mint address: see `rewardAsset`. */
  rewardToken: Type.String(),
  minimumHoldingRequirement: Amount,
  decimals: Type.Integer({ minimum: 0, maximum: 9 }),
  supply: Amount,
  transferFeeAdjustable: Type.Boolean(),
  immutableMetadata: Type.Boolean(),
  /** The partner with whose key the draft was asked for; absent without one. */
  partner: Type.Optional(Type.String()),
});

export type TokenCreation = Static<typeof TokenCreation>;

/** Recorded as soon as it is confirmed, since its creator is waiting; a fork can take it back. */
export const tokenCreationPurpose = definePurpose({
  subject: TokenCreation,
  recordedWhen: 'confirmed',
  recordedBy: 'TokenCreated',
  revertedBy: 'TokenCreationReverted',
});
