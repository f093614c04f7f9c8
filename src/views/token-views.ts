/** Views of tokens. */
import { Type } from '@sinclair/typebox';
import { Uuid } from '../kernel/runtime/ids.ts';
import { LAUNCH_STATES } from '../projections/tokens.ts';
import { SettingsView } from '../streams/distribution-settings.ts';
import {
  Address,
  Amount,
  DistributionInterval,
  described,
  enumOf,
  orNull,
  Signature,
  Timestamp,
  U128,
} from '../streams/value-types.ts';
import { PaidToHolders } from './paid-views.ts';
import { PendingTransferFee, TransferFeeMaximum } from './transfer-fee-view.ts';

export const DistributionState = enumOf('DistributionState', ['idle', 'running', 'halted', 'disabled']);

export const LaunchState = enumOf('LaunchState', LAUNCH_STATES);

export const HolderCount = Type.Integer({
  minimum: 0,
  description:
    "Owners with a balance at the last scan, without the service's own accounts, pools and the incinerator. Before the first " +
    'scan: 1, the creator.',
  examples: [1_200],
});

const ATTRIBUTES = {
  supply: described(Amount, 'Supply at creation, in base units. `currentSupply` is the remaining supply.'),
  currentSupply: Type.Object(
    {
      amount: described(Amount, 'Existing base units.', ['999650000000000']),
      burned: described(Amount, '`supply - amount`, including burns by holders.', ['350000000000']),
      at: Timestamp,
    },
    {
      description:
        "As of the last run: the supply at its scan, less the run's own burn. Before the first run: the supply at creation.",
    },
  ),
  holderCount: HolderCount,
  paidToHolders: PaidToHolders,
  distributionState: described(
    DistributionState,
    '`idle`: waits for the next run. `running`: a run is in progress. `halted`: an operator or a failed check ' +
      'has halted it. `disabled`: its creator has disabled it.',
  ),
  launchState: described(
    LaunchState,
    '`active`: buyers can buy. `completed`: the launch has reached its target.',
  ),
  marketCap: orNull(
    Type.Object({
      lamports: described(U128, "Price of the token's pool times the supply.", ['102607452548']),
      at: Timestamp,
    }),
    {
      description:
        'Market cap of a launched token at its last recorded price: at the launch, when the target was reached, ' +
        'and at the scan of each run. For lists: `GET /launchpad/{mintAddress}/status` has the current price ' +
        'while the launch is active. Null without a launch.',
    },
  ),
  featured: orNull(Type.Object({ id: Uuid, startsAt: Timestamp, endsAt: Timestamp }), {
    description: 'Running promotion; null without one.',
  }),
  partner: orNull(Type.String(), {
    description: "Partner whose key requested the token's draft; null without a partner.",
    examples: ['acme'],
  }),
  rewardToken: Type.String({ description: 'Asset paid to holders: `SOL`, `SELF` or a mint address.' }),
  lastDistributionAt: Type.Optional(described(Timestamp, 'Close of the last run; absent before the first.')),
  nextDistributionAt: Type.Optional(
    described(Timestamp, 'Due time of the next run; absent if no run is planned.'),
  ),
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

const cardExample = {
  ...exampleIdentity,
  description: 'Shares its tax with its holders.',
  transferFeePercent: 3.5,
  poolAddress: null,
  createdAt: '2026-11-21T12:00:42.000Z',
  creator: '67aUmvMbgSSnoJVKRifu2SbxdaxJ7rX5tt8MHUbKLGLj',
  decimals: 6,
  supply: '1000000000000000',
  currentSupply: { amount: '999650000000000', burned: '350000000000', at: '2026-11-21T13:01:10.000Z' },
  holderCount: 1_200,
  paidToHolders: {
    lifetime: { sol: '77880000', token: '0' },
    last24Hours: { sol: '11120000', token: '0' },
    last7Days: { sol: '54310000', token: '0' },
  },
  distributionState: 'idle' as const,
  launchState: 'none' as const,
  marketCap: null,
  featured: null,
  partner: 'acme',
  rewardToken: 'SOL',
  lastDistributionAt: '2026-11-21T13:01:30.000Z',
  nextDistributionAt: '2026-11-21T14:00:42.000Z',
  burnPercent: 10,
  developerFeePercent: 5,
  distributionInterval: '1h' as const,
};

/** Fields of a hidden token that only its creator sees, without the operator's reason. */
const ownVisibility = {
  hidden: Type.Optional(
    Type.Literal(true, {
      description: 'True if an operator has hidden the token; only its creator sees it.',
    }),
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
        "Percent of the tax that is burned. The rest, after the developer's part, is for the holders.",
    }),
    developerFeePercent: Type.Number({ description: 'Percent of the tax for the developer.' }),
    distributionInterval: DistributionInterval,
  },
  {
    title: 'TokenCard',
    examples: [cardExample],
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
    ...TokenCard.properties,
    twitter: Type.String(),
    telegram: Type.String(),
    website: Type.String(),
    transferFeeAdjustable: Type.Boolean({
      description: 'True if the creator can change the tax on the chain.',
    }),
    immutableMetadata: Type.Boolean({
      description: 'True if name, symbol and image can never be changed on the chain.',
    }),
    transferFeeMaximum: TransferFeeMaximum,
    pendingTransferFee: Type.Optional(PendingTransferFee),
    burnPercent: Type.Number(),
    developerFeePercent: Type.Number(),
    developerWallet: Address,
    distributionWallet: Address,
    distributionEnabled: Type.Boolean(),
    distributionModel: SettingsView.properties.distributionModel,
    minimumHoldingRequirement: described(
      Amount,
      'Minimum balance in base units that a wallet needs to be paid.',
    ),
    percentageToSellPerDistribution: Type.Number({
      description: 'Percent of the collected tax that a run sells.',
    }),
    poolCreatedAt: orNull(Timestamp),
    updatedAt: Timestamp,
    creator: described(Address, 'Wallet that signed the creation.'),
    signature: Type.Optional(described(Signature, 'Signature of the transaction that created the token.')),
    ...ownVisibility,
  },
  {
    title: 'TokenDetail',
    examples: [
      {
        ...cardExample,
        twitter: '',
        telegram: '',
        website: 'https://sunrise.example/',
        developerWallet: '67aUmvMbgSSnoJVKRifu2SbxdaxJ7rX5tt8MHUbKLGLj',
        distributionWallet: '3EBMnvCpBW78PtQhRbq1zNmvPMv7EvVV8ptAiTjhwowo',
        distributionEnabled: true,
        poolCreatedAt: null,
        updatedAt: '2026-11-21T12:00:42.000Z',
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
