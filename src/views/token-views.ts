/** The forms in which tokens are shown. */
import { Type } from '@sinclair/typebox';
import { Uuid } from '../kernel/runtime/ids.ts';
import { Address, Amount, DistributionInterval, Signature, Timestamp } from '../streams/values.ts';
import { PendingTransferFee, TransferFeeMaximum } from './transfer-fee-view.ts';

const Nullable = (schema: typeof Address | typeof Timestamp) => Type.Union([schema, Type.Null()]);

const identity = {
  id: Uuid,
  mintAddress: Address,
  name: Type.String(),
  symbol: Type.String(),
  imageUri: Type.String(),
};

const exampleIdentity = {
  id: '11f82ccb-0246-5e2a-83c3-8f3a12af34d8',
  mintAddress: 'AEgDhrDbhP9WFRT9vKcmcuVTpMmDoHVcj6iH6bGNE1j3',
  name: 'Sunrise',
  symbol: 'SUN',
  imageUri: 'https://levy.example/images/bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy.jpg',
};

/** What only the creator sees of a hidden token, without the operator's reason. */
const ownVisibility = {
  hidden: Type.Optional(
    Type.Literal(true, { description: 'An operator hides it: only its creator sees it here.' }),
  ),
};

export const TokenCard = Type.Object(
  {
    ...identity,
    description: Type.String(),
    transferFeePercent: Type.Number(),
    poolAddress: Nullable(Address),
    createdAt: Timestamp,
  },
  {
    title: 'TokenCard',
    examples: [
      {
        ...exampleIdentity,
        description: 'Shares its tax with its holders.',
        transferFeePercent: 3.5,
        poolAddress: null,
        createdAt: '2026-11-21T12:00:42.000Z',
      },
    ],
  },
);

export const OwnToken = Type.Object(
  {
    ...identity,
    distributionEnabled: Type.Boolean(),
    createdAt: Timestamp,
    ...ownVisibility,
  },
  {
    title: 'OwnToken',
    examples: [{ ...exampleIdentity, distributionEnabled: true, createdAt: '2026-11-21T12:00:42.000Z' }],
  },
);

export const TokenDetail = Type.Object(
  {
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
    transferFeeMaximum: Type.Optional(TransferFeeMaximum),
    pendingTransferFee: Type.Optional(PendingTransferFee),
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
    creator: Type.Optional(Type.String({ ...Address, description: 'The wallet that signed the creation.' })),
    signature: Type.Optional(
      Type.String({ ...Signature, description: 'Of the transaction that created the token.' }),
    ),
    rewardToken: Type.Optional(
      Type.String({ description: 'What its holders are paid in: `SOL`, `SELF` or a mint address.' }),
    ),
    lastDistributionAt: Type.Optional(
      Type.String({ ...Timestamp, description: 'When the last run was closed; absent before the first.' }),
    ),
    nextDistributionAt: Type.Optional(
      Type.String({ ...Timestamp, description: 'Absent while none is going to be opened.' }),
    ),
    ...ownVisibility,
  },
  {
    title: 'TokenDetail',
    examples: [
      {
        ...exampleIdentity,
        decimals: 6,
        supply: '1000000000000000',
        description: 'Shares its tax with its holders.',
        twitter: '',
        telegram: '',
        website: 'https://sunrise.example/',
        transferFeePercent: 3.5,
        burnPercent: 10,
        developerFeePercent: 5,
        developerWallet: '67aUmvMbgSSnoJVKRifu2SbxdaxJ7rX5tt8MHUbKLGLj',
        distributionWallet: '3EBMnvCpBW78PtQhRbq1zNmvPMv7EvVV8ptAiTjhwowo',
        distributionInterval: '1h',
        distributionEnabled: true,
        poolAddress: null,
        poolCreatedAt: null,
        createdAt: '2026-11-21T12:00:42.000Z',
        updatedAt: '2026-11-21T12:00:42.000Z',
        creator: '67aUmvMbgSSnoJVKRifu2SbxdaxJ7rX5tt8MHUbKLGLj',
        signature: '4zVgEYjsbnq5zrBW1naqXHNuPKmojuHmmyuGVJD2Xxc9KcZARqc3JzJ9VKhsdeeDukGPUZjkjXi13KUc8A3GoRo8',
        rewardToken: 'SOL',
        lastDistributionAt: '2026-11-21T13:01:30.000Z',
        nextDistributionAt: '2026-11-21T14:00:42.000Z',
      },
    ],
  },
);
