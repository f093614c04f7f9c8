/** The forms in which tokens are shown. */
import { Type } from '@sinclair/typebox';
import { Address, Amount, DistributionInterval, Timestamp, Uuid } from '../streams/values.ts';

const Nullable = (schema: typeof Address | typeof Timestamp) => Type.Union([schema, Type.Null()]);

const identity = {
  id: Uuid,
  mintAddress: Address,
  name: Type.String(),
  symbol: Type.String(),
  imageUri: Type.String(),
};

/** What its creator alone sees of a hidden token; the operator's reason is not among it. */
const ownVisibility = {
  hidden: Type.Optional(
    Type.Literal(true, { description: 'An operator hides it: only its creator sees it here.' }),
  ),
};

export const TokenCard = Type.Object({
  ...identity,
  description: Type.String(),
  transferFeePercent: Type.Number(),
  poolAddress: Nullable(Address),
  createdAt: Timestamp,
});

export const OwnToken = Type.Object({
  ...identity,
  distributionEnabled: Type.Boolean(),
  createdAt: Timestamp,
  ...ownVisibility,
});

export const TokenDetail = Type.Object({
  id: Uuid,
  mintAddress: Address,
  name: Type.String(),
  symbol: Type.String(),
  decimals: Type.Integer(),
  supply: Amount,
  imageUri: Type.String(),
  description: Type.String(),
  twitter: Type.String(),
  telegram: Type.String(),
  website: Type.String(),
  transferFeePercent: Type.Number(),
  burnPercent: Type.Number(),
  developerFeePercent: Type.Number(),
  developerWallet: Address,
  distributionWallet: Address,
  distributionInterval: DistributionInterval,
  distributionEnabled: Type.Boolean(),
  poolAddress: Nullable(Address),
  poolCreatedAt: Nullable(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  ...ownVisibility,
});
