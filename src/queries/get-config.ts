/** Returns the operator's public configuration; pages request it once and cache it. */
import { type Static, Type } from '@sinclair/typebox';
import type { Venue } from '../drafts/launches/venue.ts';
import { queriesFor, TaggedAnswer } from '../kernel/runtime/define-query.ts';
import { SettingsView } from '../streams/distribution-settings.ts';
import { Address, Amount, DistributionInterval, described, enumOf, orNull } from '../streams/value-types.ts';

const Count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] });
const Text = (characters: number, bytes: number) =>
  Type.Object({
    characters: Count('Maximum number of Unicode characters.', characters),
    bytes: Count('Maximum number of UTF-8 bytes.', bytes),
  });
const LongText = (characters: number) =>
  Type.Object({ characters: Count('Maximum number of Unicode characters.', characters) });

const PublicConfiguration = Type.Object(
  {
    version: Type.String({ description: "The service's release.", examples: ['0.1.0'] }),
    chain: orNull(enumOf('ChainName', ['mainnet', 'devnet', 'testnet', 'localnet']), {
      description: 'The Solana cluster; `localnet` for any other chain.',
    }),
    faucet: Type.Boolean({
      description: 'True on the embedded chain, where `POST /faucet` sends test SOL.',
    }),
    tokens: Type.Object({
      maxTransferFeePercent: Type.Number({
        description: 'Maximum tax rate, in percent.',
        examples: [10],
      }),
      maxDecimals: Count('Maximum number of decimals.', 9),
      nameLimits: Text(32, 32),
      symbolLimits: Text(10, 10),
      descriptionLimits: LongText(1_000),
      linkLimits: LongText(200),
    }),
    images: Type.Object({
      maxBytes: Count('Maximum size of an upload, in bytes.', 1_048_576),
      types: Type.Array(Type.String(), { examples: [['image/png', 'image/jpeg']] }),
      side: Count('Width and height of the stored JPEG, in pixels.', 512),
    }),
    distribution: Type.Object({
      intervals: Type.Array(DistributionInterval),
      models: Type.Array(SettingsView.properties.distributionModel),
      rewardTokens: Type.Array(Type.String(), {
        description: '`SOL`, or the token itself.',
        examples: [['SOL', 'SELF']],
      }),
      maxPartnerShareBasisPoints: Count(
        "Maximum share of a partner in the developer's part of the tax. The holders' part pays no partner.",
        5_000,
      ),
    }),
    promotions: Type.Object({
      available: Type.Boolean({ description: 'True if promotions are sold.' }),
      pricePerDay: described(Amount, 'Lamports.', ['100000000']),
      places: Count('Maximum number of tokens on the featured list.', 10),
      maxDays: Count('Maximum days of one purchase.', 30),
      treasuryAddress: orNull(Address, { description: 'Null if promotions are not sold.' }),
    }),
    launches: Type.Object({
      available: orNull(Type.Boolean(), {
        description: 'True if the launch venue is on the chain; null while the chain does not respond.',
      }),
      startRatio: Type.Number({
        description: 'A launch\u2019s target as a multiple of its market cap at the start.',
        examples: [16],
      }),
    }),
    drafts: Type.Object({
      lifetimeSeconds: Count('Seconds in which a draft on a durable nonce can be signed.', 300),
      lifetimeKind: enumOf('DraftLifetimeKind', ['durable-nonce', 'recent-blockhash'], {
        description:
          'Drafts on a `recent-blockhash` can be signed for about 150 blocks; see their `expiresAt`.',
      }),
      maxOpenPerWallet: Count('Maximum number of open drafts per wallet.', 3),
      submitWaitSeconds: Count(
        'Seconds for which a submission waits for its outcome before it returns 504.',
        25,
      ),
    }),
    quotas: Type.Array(
      Type.Object({
        policy: Type.String({ examples: ['general'] }),
        calls: Count('Calls allowed in a window.', 100),
        windowSeconds: Count('Length of a window, in seconds.', 900),
        countedBy: enumOf('QuotaCounting', ['wallet-and-ip', 'wallet-or-ip', 'ip'], {
          description:
            '`wallet-and-ip`: per wallet and per IP address; the quota with fewer calls left applies. `wallet-or-ip`: per wallet if signed in, else per IP address. A partner is counted in place of its IP address.',
        }),
      }),
      { description: 'Quotas of calls without a partner key, per process. Empty if calls are not limited.' },
    ),
  },
  { title: 'PublicConfiguration' },
);

type PublicConfiguration = Static<typeof PublicConfiguration>;

export interface ConfigServices {
  /** Public configuration without the fields that are read from the chain. */
  readonly publicConfiguration: Omit<PublicConfiguration, 'launches'> & {
    readonly launches: Omit<PublicConfiguration['launches'], 'available'>;
  };
  readonly venue: Pick<Venue, 'exists'>;
}

export const getConfig = queriesFor<ConfigServices>()({
  name: 'GetConfig',
  summary: "Get the service's public configuration",
  description:
    "The operator's limits, prices, quotas and features. It changes only when the service is started with " +
    'another configuration, so caches may store it for five minutes.',
  route: { method: 'GET', url: '/config', auth: 'none' },
  input: {},
  output: PublicConfiguration,
  rejections: [],
  async answer(_input, { services: { publicConfiguration, venue } }) {
    // Limits must be available even if the chain does not respond.
    const available = await venue.exists().catch(() => null);
    const answer = {
      ...publicConfiguration,
      launches: { ...publicConfiguration.launches, available },
    };
    return new TaggedAnswer(answer, available === null ? 'revalidated' : 'public');
  },
});
