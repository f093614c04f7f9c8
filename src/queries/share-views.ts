/** The form in which is shown what a wallet was paid and is owed, in each capacity apart. */
import { type Static, Type } from '@sinclair/typebox';
import { KINDS, type Kind } from '../distribution/ledger/record.ts';
import { REWARD_ASSETS, type RewardAsset } from '../streams/distribution.ts';
import { described, U128 } from '../streams/values.ts';

const ByAsset = (description: string) =>
  Type.Object(
    {
      sol: described(U128, 'Lamports.'),
      token: described(U128, 'Base units of the token.'),
    },
    { description },
  );

const Part = (description: string) =>
  Type.Object(
    { owed: ByAsset('Earned and not paid yet.'), paid: ByAsset('Total of all runs.') },
    { description },
  );

export const ShareParts = Type.Object(
  {
    holder: Part('Earned as a holder of the token.'),
    developer: Part("The developer's part of the tax."),
    costs: Part('Costs of the distributor.'),
    debt: Part('Owed in the former reward asset, as a holder and as the developer.'),
  },
  { title: 'DistributionHolderParts' },
);

export const ShareFields = {
  owed: ByAsset('Earned and not paid yet, in every capacity.'),
  paid: ByAsset('Total of all runs, in every capacity; `parts` splits it.'),
};

/** A wallet's share in one capacity. */
interface Share {
  readonly kind: Kind;
  readonly asset: RewardAsset;
  readonly owed: bigint;
  readonly paid: bigint;
}

type Sums = Static<ReturnType<typeof ByAsset>>;

export function shareFields(shares: readonly Share[]) {
  return { owed: sumsOf(shares, ({ owed }) => owed), paid: sumsOf(shares, ({ paid }) => paid) };
}

export function shareParts(shares: readonly Share[]) {
  const parts = KINDS.map((kind) => [kind, shareFields(shares.filter((share) => share.kind === kind))]);
  return Object.fromEntries(parts) as { readonly [kind in Kind]: { owed: Sums; paid: Sums } };
}

function sumsOf(shares: readonly Share[], amountOf: (share: Share) => bigint): Sums {
  const sumOf = (asset: RewardAsset): string =>
    shares
      .filter((share) => share.asset === asset)
      .reduce((sum, share) => sum + amountOf(share), 0n)
      .toString();
  return Object.fromEntries(REWARD_ASSETS.map((asset) => [asset, sumOf(asset)])) as Sums;
}
