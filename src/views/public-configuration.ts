/** What a page must know of the operator of a service: limits, prices, and what there is. */
import { type Static, Type } from '@sinclair/typebox';
import { SettingsView } from '../streams/distribution-settings.ts';
import { Address, Amount, DistributionInterval, orNull } from '../streams/values.ts';

const Count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] });
const Text = (characters: number, bytes: number) =>
  Type.Object({ characters: Count('Of Unicode.', characters), bytes: Count('Of UTF-8.', bytes) });
const LongText = (characters: number) => Type.Object({ characters: Count('Of Unicode.', characters) });

export const PublicConfiguration = Type.Object(
  {
    version: Type.String({ description: 'The release that answers.', examples: ['0.1.0'] }),
    chain: Type.Union(
      [
        Type.Union(
          (['mainnet', 'devnet', 'testnet', 'localnet'] as const).map((name) => Type.Literal(name)),
          { title: 'ChainName' },
        ),
        Type.Null(),
      ],
      {
        description:
          'The cluster whose wallets sign here; `localnet` for any other chain, null where a service answers from the past.',
      },
    ),
    faucet: Type.Boolean({
      description:
        'Whether `POST /faucet` gives SOL to try the service out with: only on the embedded chain.',
    }),
    tokens: Type.Object({
      maxTransferFeePercent: Type.Number({
        description: 'The highest tax that a token can be created with, or changed to, here.',
        examples: [10],
      }),
      maxDecimals: Count('', 9),
      name: Text(32, 32),
      symbol: Text(10, 10),
      description: LongText(1_000),
      link: LongText(200),
    }),
    images: Type.Object({
      maxBytes: Count('Of an upload.', 1_048_576),
      types: Type.Array(Type.String(), { examples: [['image/png', 'image/jpeg']] }),
      side: Count('Pixels: what is stored is a square JPEG.', 512),
    }),
    distribution: Type.Object({
      intervals: Type.Array(DistributionInterval),
      models: Type.Array(SettingsView.properties.distributionModel),
      rewardTokens: Type.Array(Type.String(), {
        description: '`SOL`, or the token itself.',
        examples: [['SOL', 'SELF']],
      }),
      partnerSharePercent: Type.Number({
        description:
          'Of the tax that is not burned and not the developer\u2019s: nothing goes to partners or to the operator, so it is 0.',
        examples: [0],
      }),
    }),
    promotions: Type.Object({
      available: Type.Boolean({ description: 'Whether places on the featured list are sold.' }),
      pricePerDay: Type.String({ ...Amount, description: 'Lamports.', examples: ['100000000'] }),
      places: Count('Tokens that the featured list holds at a time.', 10),
      maxDays: Count('Of one purchase.', 30),
      paidTo: orNull(Address, { description: 'Null where none are sold.' }),
    }),
    launches: Type.Object({
      available: orNull(Type.Boolean(), {
        description: 'Whether the launch venue is on the chain; null while the chain does not say.',
      }),
      startRatio: Type.Number({
        description: 'A launch\u2019s target as a multiple of its market cap at the start.',
        examples: [16],
      }),
    }),
    drafts: Type.Object({
      lifetimeSeconds: Count('How long a draft on a durable nonce can be signed.', 300),
      lifetimeKind: Type.Union([Type.Literal('durable-nonce'), Type.Literal('recent-blockhash')], {
        title: 'DraftLifetimeKind',
        description:
          'With `recent-blockhash`, drafts can be signed for about 150 blocks; `expiresAt` says until when.',
      }),
      maxOpenPerWallet: Count('', 3),
      submitWaitSeconds: Count('For how long a submission waits for the outcome before it answers 504.', 25),
    }),
    quotas: Type.Array(
      Type.Object({
        policy: Type.String({ examples: ['general'] }),
        calls: Count('Allowed in a window.', 100),
        windowSeconds: Count('', 900),
        countedBy: Type.Union(
          (['wallet-and-ip', 'wallet-or-ip', 'ip'] as const).map((by) => Type.Literal(by)),
          {
            title: 'QuotaCounting',
            description:
              '`wallet-and-ip`: both, and the one with fewer left decides. `wallet-or-ip`: the wallet when signed in, else the address. A partner is counted in place of its address.',
          },
        ),
      }),
      { description: 'Without a partner\u2019s key, at each process. Empty where nothing is limited.' },
    ),
  },
  { title: 'PublicConfiguration' },
);

export type PublicConfiguration = Static<typeof PublicConfiguration>;
