/** Input fields of a token's distribution, shared by create-unsigned and the settings route. Pure. */
import { Type } from '@sinclair/typebox';
import { RESERVED_PROGRAMS, RESERVED_SYSVARS, U64_MAX } from 'levy-solana-wire';
import type { RejectionDetail } from '../kernel/runtime/rejection.ts';
import { DeveloperWallets } from '../streams/developer-share.ts';
import { basisPointsFromPercent } from '../streams/percent.ts';
import { rejection } from '../streams/rejections.ts';
import { rewardAsset } from '../streams/reward-asset.ts';
import { Amount, DistributionInterval } from '../streams/value-types.ts';
import { requireAddress } from '../views/address-params.ts';

const Percent = (description: string) =>
  Type.Number({ minimum: 0, maximum: 100, description: `${description} At most two decimals.` });
/** The description of a running service contains the operator's maximum instead of 100. */
export const TransferFeePercent = Percent('Tax taken on each transfer.');
export const Digits = (description: string) =>
  Type.String({ minLength: 1, maxLength: 20, pattern: Amount.pattern, description });

export const ShareInput = Type.Object(
  {
    wallet: Type.String({
      minLength: 32,
      maxLength: 44,
      description: 'Base58 address.',
      examples: ['67aUmvMbgSSnoJVKRifu2SbxdaxJ7rX5tt8MHUbKLGLj'],
    }),
    basisPoints: Type.Integer({
      minimum: 1,
      maximum: 10_000,
      description: "Of the developer's part of the tax.",
      examples: [2_500],
    }),
  },
  { additionalProperties: false, title: 'DeveloperShareInput' },
);

export const distributionFields = {
  burnPercent: Type.Optional(Percent('Share of the tax that is burned.')),
  developerFeePercent: Type.Optional(Percent('Share of the tax for the developer.')),
  developerWallet: Type.Optional(
    Type.String({
      minLength: 32,
      maxLength: 44,
      description: 'Base58 address; defaults to the creator at creation.',
    }),
  ),
  developerWallets: Type.Optional(
    Type.Array(ShareInput, {
      maxItems: DeveloperWallets.maxItems,
      description: DeveloperWallets.description,
    }),
  ),
  distributionInterval: Type.Optional(DistributionInterval),
  percentageToSellPerDistribution: Type.Optional(Percent('Share of the tax that each distribution sells.')),
  rewardToken: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 44,
      description:
        '`SOL` (or the mint of wrapped SOL), or `SELF` for the token itself (or its mint). Other tokens are refused. ' +
        "On Solana's public clusters, the tax of a token can be sold for SOL only after its launch; with `SOL`, the tax accumulates until then.",
    }),
  ),
  minimumHoldingRequirement: Type.Optional(Digits('Base units.')),
};

/** Collects all errors of an input, so that one response reports all of them. */
interface InputProblems {
  add(field: string, message: string): void;
  /** Throws `VALIDATION_FAILED` with the message if there are errors. */
  raise(message: string): void;
}

export function createInputProblems(): InputProblems {
  const details: RejectionDetail[] = [];
  return {
    add(field, message) {
      details.push({ path: [field], message });
    },
    raise(message) {
      if (details.length > 0) throw rejection('VALIDATION_FAILED', message, { details });
    },
  };
}

/** Converts percent to basis points; adds an error and returns 0 if it is invalid. */
export function readPercent(
  complaints: InputProblems,
  field: string,
  percent: number,
  maximum = 10_000,
): number {
  const basisPoints = basisPointsFromPercent(percent);
  if (basisPoints === undefined) complaints.add(field, 'must have at most two decimals');
  else if (basisPoints > maximum) complaints.add(field, `must be at most ${maximum / 100}`);
  return basisPoints ?? 0;
}

/** Returns the digits unchanged; adds an error if the amount is out of bounds. */
export function readAmount(complaints: InputProblems, field: string, digits: string, minimum = 0n): string {
  const amount = BigInt(digits);
  if (amount < minimum || amount > U64_MAX) {
    complaints.add(field, `must be between ${minimum} and ${U64_MAX}`);
  }
  return digits;
}

const RESERVED: ReadonlySet<string> = new Set([...RESERVED_PROGRAMS, ...RESERVED_SYSVARS]);

/** True for programs and sysvars of the runtime: the chain refuses every payment to them. */
export function isReserved(address: string): boolean {
  return RESERVED.has(address);
}

/** Throws `INVALID_ADDRESS` unless the value is an asset; `requireSupportedReward` checks whether it is supported. */
export function requireRewardToken(value: string): void {
  if (value !== 'SOL' && value !== 'SELF') requireAddress('rewardToken', value);
}

/** Throws `REWARD_TOKEN_UNSUPPORTED`. `mint` is the token's own mint; undefined before its creation. */
export function requireSupportedReward(rewardToken: string, mint: string | undefined): void {
  if (rewardAsset({ rewardToken }, mint) !== undefined) return;
  throw rejection(
    'REWARD_TOKEN_UNSUPPORTED',
    'Holders are paid in SOL or in the token itself: rewardToken must be SOL or SELF.',
    { details: [{ path: ['rewardToken'], message: 'must be SOL or SELF' }] },
  );
}

/** Throws `SPLIT_EXCEEDS_100`. */
export function requireSplitWithin100(split: {
  readonly burnBasisPoints: number;
  readonly developerFeeBasisPoints: number;
}): void {
  if (split.burnBasisPoints + split.developerFeeBasisPoints <= 10_000) return;
  throw rejection('SPLIT_EXCEEDS_100', 'burnPercent and developerFeePercent must not exceed 100 together.', {
    details: [{ path: ['burnPercent'], message: 'exceeds 100 together with developerFeePercent' }],
  });
}
