/** Input fields of a token's distribution, shared by create-unsigned and the settings route. Pure. */
import { Type } from '@sinclair/typebox';
import { RESERVED_PROGRAMS, RESERVED_SYSVARS, U64_MAX } from 'levy-solana-wire';
import type { RejectionDetail } from '../kernel/runtime/rejection.ts';
import { basisPointsFromPercent } from '../streams/percent.ts';
import { rejection } from '../streams/rejections.ts';
import { rewardAsset } from '../streams/reward-asset.ts';
import { Amount, DistributionInterval } from '../streams/values.ts';
import { requireAddress } from '../views/addresses.ts';

const Percent = (description: string) =>
  Type.Number({ minimum: 0, maximum: 100, description: `${description} At most two decimals.` });
/** The operator sets the maximum: the description of a running service shows it in place of 100. */
export const TransferFeePercent = Percent('Tax taken on each transfer.');
export const Digits = (description: string) =>
  Type.String({ minLength: 1, maxLength: 20, pattern: Amount.pattern, description });

export const distributionFields = {
  burnPercent: Type.Optional(Percent('Share of the tax that is burned.')),
  developerFeePercent: Type.Optional(Percent('Share of the tax for the developer.')),
  developerWallet: Type.Optional(
    Type.String({
      minLength: 32,
      maxLength: 44,
      description: 'Base58 address; at creation the creator when absent.',
    }),
  ),
  distributionInterval: Type.Optional(DistributionInterval),
  percentageToSellPerDistribution: Type.Optional(Percent('Sold on each distribution.')),
  rewardToken: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 44,
      description:
        '`SOL` (or the mint of wrapped SOL), or `SELF` for the token itself (or its mint). Holders are paid in no other token. ' +
        "On Solana's own clusters the tax of a token that was not launched cannot be sold for SOL: until it is launched, choose `SELF`, or the tax accumulates.",
    }),
  ),
  minimumHoldingRequirement: Type.Optional(Digits('Base units.')),
};

/** Collects everything that is wrong with an input, so that the sender learns of all faults at once. */
interface Complaints {
  add(field: string, message: string): void;
  /** Throws `VALIDATION_FAILED` with the message if there are any. */
  raise(message: string): void;
}

export function createComplaints(): Complaints {
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

/** Percent to basis points; adds a complaint and returns 0 if it is invalid. */
export function readPercent(
  complaints: Complaints,
  field: string,
  percent: number,
  maximum = 10_000,
): number {
  const basisPoints = basisPointsFromPercent(percent);
  if (basisPoints === undefined) complaints.add(field, 'must have at most two decimals');
  else if (basisPoints > maximum) complaints.add(field, `must be at most ${maximum / 100}`);
  return basisPoints ?? 0;
}

/** The digits as they are; adds a complaint if the amount is out of bounds. */
export function readAmount(complaints: Complaints, field: string, digits: string, minimum = 0n): string {
  const amount = BigInt(digits);
  if (amount < minimum || amount > U64_MAX) {
    complaints.add(field, `must be between ${minimum} and ${U64_MAX}`);
  }
  return digits;
}

/** Throws `INVALID_ADDRESS`, also for an address of the runtime: the chain refuses every payment to it. */
export function requireDeveloperWallet(value: string): void {
  requireAddress('developerWallet', value);
  if (!isReserved(value)) return;
  throw rejection('INVALID_ADDRESS', `developerWallet is ${value}, an address that cannot be paid.`, {
    details: [{ path: ['developerWallet'], message: 'must not be a program or a sysvar of the runtime' }],
  });
}

const RESERVED: ReadonlySet<string> = new Set([...RESERVED_PROGRAMS, ...RESERVED_SYSVARS]);

/** Programs and sysvars of the runtime: the chain refuses every payment to them. */
export function isReserved(address: string): boolean {
  return RESERVED.has(address);
}

/** Throws `INVALID_ADDRESS` for what names no asset at all; whether holders can be paid in it is another question. */
export function requireRewardToken(value: string): void {
  if (value !== 'SOL' && value !== 'SELF') requireAddress('rewardToken', value);
}

/** Throws `REWARD_TOKEN_UNSUPPORTED`. `mint` is the token's own; undefined while it does not exist yet. */
export function requireSupportedReward(rewardToken: string, mint: string | undefined): void {
  if (rewardAsset({ rewardToken }, mint) !== undefined) return;
  throw rejection(
    'REWARD_TOKEN_UNSUPPORTED',
    'Holders can be paid in SOL or in the token itself: rewardToken must be SOL or SELF.',
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
