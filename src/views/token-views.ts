/** The forms in which tokens are shown. */
import { Type } from '@sinclair/typebox';
import { Uuid } from '../kernel/runtime/ids.ts';
import { LAUNCH_STATES } from '../projections/tokens.ts';
import { SettingsView } from '../streams/distribution-settings.ts';
import {
  Address,
  Amount,
  DistributionInterval,
  described,
  orNull,
  Signature,
  Timestamp,
  U128,
  wordsOf,
} from '../streams/values.ts';
import { BySum } from './paid-views.ts';
import { PendingTransferFee, TransferFeeMaximum } from './transfer-fee-view.ts';

export const DistributionState = wordsOf('DistributionState', ['idle', 'running', 'halted', 'disabled']);

export const LaunchState = wordsOf('LaunchState', LAUNCH_STATES);

const ATTRIBUTES = {
  supply: described(
    Amount,
    'The supply at creation, in base units; it never changes here. `currentSupply` is what is left of it.',
  ),
  currentSupply: Type.Union(
    [
      Type.Object({
        amount: Type.String({
          ...Amount,
          description: 'Base units that exist.',
          examples: ['999650000000000'],
        }),
        burned: Type.String({
          ...Amount,
          description: '`supply` less `amount`, by whomever it was burned.',
          examples: ['350000000000'],
        }),
        at: Timestamp,
      }),
      Type.Null(),
    ],
    {
      description:
        'As of the last run: what its scan found, less what the run itself has burned since. Null before the first scan.',
    },
  ),
  holderCount: orNull(Type.Integer({ minimum: 0 }), {
    description:
      'Owners of accounts of the token, as the last scan found them; pools and programs are among them. Null before the first.',
    examples: [1_200],
  }),
  paidToHolders: BySum('What holders got by closed runs. Nothing else is in it.'),
  distributionState: Type.Union(DistributionState.anyOf, {
    ...DistributionState,
    description:
      '`idle`: waits for the next run. `running`: a run is under way. `halted`: an operator or a failed check has ' +
      'halted it. `disabled`: its creator has switched it off.',
  }),
  launchState: Type.Union(LaunchState.anyOf, {
    ...LaunchState,
    description: '`active`: buyers can buy. `completed`: the launch has reached its target.',
  }),
  marketCap: Type.Union(
    [
      Type.Object({
        lamports: Type.String({
          ...U128,
          description: 'The price of its pool times the supply.',
          examples: ['102607452548'],
        }),
        at: Timestamp,
      }),
      Type.Null(),
    ],
    {
      description:
        'Of a launched token, when its price was last recorded: at the launch, when the target was reached, and at the scan of each run. For ' +
        'lists: `GET /launchpad/{mintAddress}/status` has the price of now while the launch is active. Null without a launch.',
    },
  ),
  featured: orNull(Type.Object({ id: Uuid, startsAt: Timestamp, endsAt: Timestamp }), {
    description: 'The promotion that runs now; null without one.',
  }),
  partner: orNull(Type.String(), {
    description: 'The partner whose key came with the call that made its draft; null without one.',
    examples: ['acme'],
  }),
  rewardToken: Type.String({ description: 'What its holders are paid in: `SOL`, `SELF` or a mint address.' }),
  lastDistributionAt: Type.Optional(
    described(Timestamp, 'When the last run was closed; absent before the first.'),
  ),
  nextDistributionAt: Type.Optional(described(Timestamp, 'Absent while none is going to be opened.')),
};

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

const exampleAttributes = {
  supply: '1000000000000000',
  currentSupply: { amount: '999650000000000', burned: '350000000000', at: '2026-11-21T13:01:10.000Z' },
  holderCount: 1_200,
  paidToHolders: { sol: '77880000', token: '0' },
  distributionState: 'idle' as const,
  launchState: 'none' as const,
  marketCap: null,
  featured: null,
  partner: 'acme',
  rewardToken: 'SOL',
  lastDistributionAt: '2026-11-21T13:01:30.000Z',
  nextDistributionAt: '2026-11-21T14:00:42.000Z',
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
    poolAddress: orNull(Address),
    createdAt: Timestamp,
    creator: Address,
    decimals: Type.Integer(),
    ...ATTRIBUTES,
    supply: ATTRIBUTES.supply,
    burnPercent: Type.Number({
      description:
        "Percent of the tax that is burned. What neither burns nor goes to the developer is the holders'.",
    }),
    developerFeePercent: Type.Number({ description: 'Percent of the tax for the developer.' }),
    distributionInterval: DistributionInterval,
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
        creator: '67aUmvMbgSSnoJVKRifu2SbxdaxJ7rX5tt8MHUbKLGLj',
        decimals: 6,
        ...exampleAttributes,
        burnPercent: 10,
        developerFeePercent: 5,
        distributionInterval: '1h' as const,
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
    imageUri: Type.String(),
    description: Type.String(),
    twitter: Type.String(),
    telegram: Type.String(),
    website: Type.String(),
    ...ATTRIBUTES,
    transferFeePercent: Type.Number(),
    transferFeeAdjustable: Type.Boolean({
      description: 'Whether its creator can change the tax on the chain.',
    }),
    immutableMetadata: Type.Boolean({
      description: 'Whether name, symbol and picture can never be changed on the chain.',
    }),
    transferFeeMaximum: TransferFeeMaximum,
    pendingTransferFee: Type.Optional(PendingTransferFee),
    burnPercent: Type.Number(),
    developerFeePercent: Type.Number(),
    developerWallet: Address,
    distributionWallet: Address,
    distributionInterval: DistributionInterval,
    distributionEnabled: Type.Boolean(),
    distributionModel: SettingsView.properties.distributionModel,
    minimumHoldingRequirement: described(Amount, 'Base units that a wallet must hold to be paid.'),
    percentageToSellPerDistribution: Type.Number({
      description: 'Percent of the collected tax that a run sells.',
    }),
    poolAddress: orNull(Address),
    poolCreatedAt: orNull(Timestamp),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    creator: described(Address, 'The wallet that signed the creation.'),
    signature: Type.Optional(described(Signature, 'Of the transaction that created the token.')),
    ...ownVisibility,
  },
  {
    title: 'TokenDetail',
    examples: [
      {
        ...exampleIdentity,
        decimals: 6,
        ...exampleAttributes,
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
        transferFeeAdjustable: false,
        transferFeeMaximum: null,
        immutableMetadata: true,
        distributionModel: 'proportional',
        minimumHoldingRequirement: '1000000',
        percentageToSellPerDistribution: 100,
      },
    ],
  },
);
