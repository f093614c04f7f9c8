/** The body of create-unsigned: its schema, and the rules that a schema cannot state. Pure. */
import { type Static, Type } from '@sinclair/typebox';
import { parseAddress } from '../chain/wallet-key.ts';
import type { RejectionDetail } from '../runtime/rejection.ts';
import type { TokenCreation } from '../streams/draft.ts';
import { basisPointsFromPercent } from '../streams/percent.ts';
import { rejection } from '../streams/rejections.ts';
import { DistributionInterval, U64_MAX, Uuid } from '../streams/values.ts';

const MAX_NAME_BYTES = 32;
const MAX_SYMBOL_BYTES = 10;
const MAX_LINK_LENGTH = 200;
const MAX_DESCRIPTION_LENGTH = 1_000;

const Percent = (description: string) =>
  Type.Number({ minimum: 0, maximum: 100, description: `${description} At most two decimals.` });
const Link = (description: string) =>
  Type.String({
    maxLength: MAX_LINK_LENGTH,
    description: `${description} An https address, or "" for none.`,
  });
const Digits = (description: string) =>
  Type.String({ minLength: 1, maxLength: 20, pattern: '^[0-9]+$', description });

export const TokenInput = Type.Object(
  {
    walletId: Type.String({ ...Uuid, description: 'From generate-distribution-wallet.' }),
    name: Type.String({
      minLength: 1,
      maxLength: 64,
      description: '1-32 characters and at most 32 bytes of UTF-8.',
    }),
    symbol: Type.String({
      minLength: 1,
      maxLength: 32,
      description: '1-10 characters and at most 10 bytes of UTF-8.',
    }),
    description: Type.String({
      // The schema counts UTF-16 units, of which a character has two at most.
      maxLength: 2 * MAX_DESCRIPTION_LENGTH,
      description: `Up to ${MAX_DESCRIPTION_LENGTH} characters.`,
    }),
    imageUri: Type.String({ minLength: 1, maxLength: 500, description: 'From upload-image.' }),
    twitter: Type.Optional(Link('Social link.')),
    telegram: Type.Optional(Link('Social link.')),
    website: Type.Optional(Link('Website.')),
    transferFeePercent: Percent('Tax taken on each transfer.'),
    burnPercent: Type.Optional(Percent('Share of the tax that is burned.')),
    developerFeePercent: Type.Optional(Percent('Share of the tax for the developer.')),
    developerWallet: Type.Optional(
      Type.String({ minLength: 32, maxLength: 44, description: 'Base58 address; the creator when absent.' }),
    ),
    distributionInterval: Type.Optional(DistributionInterval),
    percentageToSellPerDistribution: Type.Optional(Percent('Sold on each distribution.')),
    rewardToken: Type.Optional(
      Type.String({ minLength: 1, maxLength: 44, description: '`SOL` or a mint address.' }),
    ),
    minimumHoldingRequirement: Type.Optional(Digits('Base units.')),
    decimals: Type.Integer({ minimum: 0, maximum: 9 }),
    supply: Digits('Base units, at least 1.'),
    transferFeeAdjustable: Type.Optional(Type.Boolean()),
    immutableMetadata: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);

export type TokenInput = Static<typeof TokenInput>;

/** What the body says of the token, every default filled in. */
export type TokenWishes = Omit<
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

/** Throws `VALIDATION_FAILED` with everything that is wrong, `INVALID_ADDRESS` or `SPLIT_EXCEEDS_100`. */
export function readTokenInput(
  body: TokenInput,
  creator: string,
  maxTransferFeeBasisPoints: number,
): TokenWishes {
  const problems: RejectionDetail[] = [];
  const wrong = (field: keyof TokenInput, message: string) => problems.push({ path: [field], message });

  const text = (field: 'name' | 'symbol', maximum: number): string => {
    const value = body[field].trim();
    const characters = [...value].length;
    if (characters < 1 || characters > maximum) wrong(field, `must have 1 to ${maximum} characters`);
    else if (Buffer.byteLength(value) > maximum) wrong(field, `must take at most ${maximum} bytes of UTF-8`);
    if (!isSoundText(value)) wrong(field, 'must not contain control characters or broken Unicode');
    else if (DISGUISES.test(value)) wrong(field, 'must not change the direction of writing or break lines');
    else if (value !== '' && !VISIBLE.test(value)) wrong(field, 'must show something');
    return value;
  };
  const link = (field: 'twitter' | 'telegram' | 'website'): string => {
    const value = body[field]?.trim() ?? '';
    if (value !== '' && !isHttpsUrl(value)) wrong(field, 'must be an https address');
    return value;
  };
  const share = (field: PercentField, fallback: number, maximum = 10_000): number => {
    const basisPoints = basisPointsFromPercent(body[field] ?? fallback);
    if (basisPoints === undefined) wrong(field, 'must have at most two decimals');
    else if (basisPoints > maximum) wrong(field, `must be at most ${maximum / 100}`);
    return basisPoints ?? 0;
  };
  const amount = (field: 'supply' | 'minimumHoldingRequirement', minimum: bigint): string => {
    const value = BigInt(body[field] ?? '0');
    if (value < minimum || value > U64_MAX) wrong(field, `must be between ${minimum} and ${U64_MAX}`);
    return value.toString();
  };

  const name = text('name', MAX_NAME_BYTES);
  const symbol = text('symbol', MAX_SYMBOL_BYTES);
  if ([...body.description].length > MAX_DESCRIPTION_LENGTH)
    wrong('description', `must have at most ${MAX_DESCRIPTION_LENGTH} characters`);
  if (!isSoundText(body.description, true))
    wrong('description', 'must not contain control characters or broken Unicode');
  const wishes: TokenWishes = {
    name,
    symbol,
    description: body.description,
    twitter: link('twitter'),
    telegram: link('telegram'),
    website: link('website'),
    transferFeeBasisPoints: share('transferFeePercent', 0, maxTransferFeeBasisPoints),
    burnBasisPoints: share('burnPercent', 0),
    developerFeeBasisPoints: share('developerFeePercent', 0),
    developerWallet: body.developerWallet ?? creator,
    distributionInterval: body.distributionInterval ?? '1h',
    sellBasisPoints: share('percentageToSellPerDistribution', 100),
    rewardToken: body.rewardToken ?? 'SOL',
    minimumHoldingRequirement: amount('minimumHoldingRequirement', 0n),
    decimals: body.decimals,
    supply: amount('supply', 1n),
    transferFeeAdjustable: body.transferFeeAdjustable ?? false,
    immutableMetadata: body.immutableMetadata ?? true,
  };
  if (problems.length > 0) {
    throw rejection('VALIDATION_FAILED', 'The token cannot be created like this; see the details.', {
      details: problems,
    });
  }
  requireAddress('developerWallet', wishes.developerWallet);
  if (wishes.rewardToken !== 'SOL') requireAddress('rewardToken', wishes.rewardToken);
  if (wishes.burnBasisPoints + wishes.developerFeeBasisPoints > 10_000) {
    throw rejection(
      'SPLIT_EXCEEDS_100',
      'burnPercent and developerFeePercent must not exceed 100 together.',
      {
        details: [{ path: ['burnPercent'], message: 'exceeds 100 together with developerFeePercent' }],
      },
    );
  }
  return wishes;
}

type PercentField =
  | 'transferFeePercent'
  | 'burnPercent'
  | 'developerFeePercent'
  | 'percentageToSellPerDistribution';

function requireAddress(field: string, value: string): void {
  if (parseAddress(value) !== undefined) return;
  throw rejection('INVALID_ADDRESS', `${field} is not a valid address.`, {
    details: [{ path: [field], message: 'must be 32 bytes in base58' }],
  });
}

/** Characters that make a name look like another one: turned writing, and breaks that no list expects. */
const DISGUISES = /[\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
/** Anything but blanks, formatting, and the fillers that are letters by name only. */
const VISIBLE = /[^\p{C}\p{Z}\u115f\u1160\u2800\u3164\uffa0]/u;

function isSoundText(value: string, linesAllowed = false): boolean {
  return value.isWellFormed() && !(linesAllowed ? /(?![\t\n\r])\p{Cc}/u : /\p{Cc}/u).test(value);
}

/** Without the slashes a URL parser would still make an address of it, but not everybody who reads it. */
function isHttpsUrl(value: string): boolean {
  return /^https:\/\/[^\s\\]+$/i.test(value) && isSoundText(value) && URL.canParse(value);
}
