/** Values that are as they should be: by their schema, and by what is known of things of their name. */
import type { Schema } from './operations.ts';
import type { Random } from './random.ts';
import type { Wallet, World } from './world.ts';

export interface Drawing {
  readonly random: Random;
  readonly world: World;
  /** On whose behalf the call is made. */
  readonly wallet: Wallet;
}

type Maker = (drawing: Drawing) => unknown;

const percent: Maker = ({ random }) => random.pick([0, 0.07, 0.29, 1, 2.5, 3.5, 10, 33.33, 50]);
const digits: Maker = ({ random }) =>
  random.pick(['0', '1', '1000000', '1000000000000000', '18446744073709551615', String(random.below(1e9))]);
const link: Maker = ({ random }) => random.pick(['', 'https://x.example', 'https://t.example/a?b=c#d']);

/** What no schema says. Names that are not here are made of their schema, or of what was told under their name. */
const BY_NAME: { readonly [name: string]: Maker } = {
  name: ({ random }) => random.pick(['Sunrise', 'Sonne & Mond', 'Солнце', '太陽', 'x', 'A'.repeat(32)]),
  symbol: ({ random }) => random.pick(['SUN', 'S', '太陽', 'ABCDEFGHIJ']),
  description: ({ random }) => random.pick(['', 'Shares its tax.', 'Zwei\nZeilen', '🚀'.repeat(200)]),
  twitter: link,
  telegram: link,
  website: link,
  transferFeePercent: ({ random }) => random.pick([0, 0.07, 1, 3.5, 9.99, 10]),
  burnPercent: percent,
  developerFeePercent: percent,
  developerWallet: ({ wallet }) => wallet.address,
  rewardToken: ({ random, world }) => random.pick(['SOL', 'SELF', world.one(random, 'mintAddress') ?? 'SOL']),
  minimumHoldingRequirement: digits,
  decimals: ({ random }) => random.below(10),
  supply: ({ random }) => random.pick(['1', '1000000000000000', '18446744073709551615']),
  transferFeeAdjustable: ({ random }) => random.chance(0.7),
  tokenMint: ({ random, world, wallet }) => world.one(random, 'mintAddress', wallet) ?? wallet.address,
  tokenAmount: ({ random }) => random.pick(['800000000000000', '1000', '1']),
  targetMarketCap: ({ random }) => random.pick(['4000000000', '400000000000']),
  days: ({ random }) => random.between(1, 30),
  reason: ({ random }) => random.pick(['Impersonates another token.', 'Ein Versehen – geprüft.']),
  telegramGroupId: ({ random }) => random.pick([null, '-1001234567890', '@sunrise']),
  keptOut: ({ random, wallet }) => (random.chance(0.5) ? [wallet.address] : []),
  listedIn: () => [],
  walletAddress: ({ wallet }) => wallet.address,
  creator: ({ wallet }) => wallet.address,
  search: ({ random }) => random.pick(['S', 'sun', 'Солн']),
  olderThan: ({ random }) => random.pick(['1s', '10m', '7d', '2026-05-04T10:00:00Z']),
  stream: () => 'service-levy',
  types: ({ random }) => random.pick(['tokens.*', 'tokens.created', 'tokens.*,launches.completed']),
  // Parts of the names of tiles: `0/000`, `entries/000.p/12`.
  level: ({ random }) => random.pick(['0', '0', 'entries', '1', '63']),
  a: ({ random }) => random.pick(['000', '000.p', '001', 'x001']),
  b: ({ random }) => random.pick(['1', '12', '255', '067.p', 'x234']),
  c: ({ random }) => random.pick(['12', '067.p', '999']),
  d: ({ random }) => random.pick(['1', '12', '255']),
  page: ({ random }) => random.pick([1, 1, 2, 1_000_000_000]),
};

/** A value of the schema, as JSON. What is known of its name comes before what its schema says, but for lists of values. */
export function validValue(name: string, schema: Schema, drawing: Drawing): unknown {
  const { random, world, wallet } = drawing;
  if (schema.enum !== undefined) return random.pick(schema.enum);
  const maker = BY_NAME[name];
  if (maker !== undefined) return maker(drawing);
  const known = world.one(random, name, wallet);
  if (known !== undefined && isOfType(schema, 'string')) return known;
  return ofSchema(schema, random);
}

/** Whether the schema allows values of the type. */
export function isOfType({ type }: Schema, wanted: string): boolean {
  return Array.isArray(type) ? type.includes(wanted) : type === wanted;
}

function ofSchema(schema: Schema, random: Random): unknown {
  if (isOfType(schema, 'boolean')) return random.chance(0.5);
  if (isOfType(schema, 'integer') || isOfType(schema, 'number')) {
    const { minimum = 0, maximum = 100 } = schema;
    return random.pick([minimum, maximum, random.between(minimum, Math.min(maximum, minimum + 1_000))]);
  }
  const [example] = schema.examples ?? [];
  if (example !== undefined) return example;
  if (schema.format === 'uuid') return '7c9e6679-7425-40de-944b-e07fc1f90ae7';
  return 'x'.repeat(Math.max(1, schema.minLength ?? 1));
}
