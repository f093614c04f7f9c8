/** View of a wallet's payments and debts, split by capacity. */
import { type Static, Type } from '@sinclair/typebox';
import type { Kind } from '../distribution/ledger/ledger-record.ts';
import { REWARD_ASSETS, type RewardAsset } from '../streams/distribution.ts';
import { described, U128 } from '../streams/value-types.ts';

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
    { owedByAsset: ByAsset('Earned and not paid yet.'), paidByAsset: ByAsset('Total of all runs.') },
    { description },
  );

export const ShareParts = Type.Object(
  {
    asHolder: Part('Earned as a holder of the token.'),
    asDeveloper: Part("The developer's part of the tax."),
    asDistributor: Part('Costs of the distributor.'),
    formerDebts: Part('Owed in the former reward asset, as a holder and as the developer.'),
  },
  { title: 'DistributionHolderParts' },
);

export const ShareFields = {
  owedByAsset: ByAsset('Earned and not paid yet, in all capacities.'),
  paidByAsset: ByAsset('Total of all runs, in all capacities; `parts` splits it.'),
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
  return { owedByAsset: sumsOf(shares, ({ owed }) => owed), paidByAsset: sumsOf(shares, ({ paid }) => paid) };
}

export function shareParts(shares: readonly Share[]): Static<typeof ShareParts> {
  const part = (kind: Kind) => shareFields(shares.filter((share) => share.kind === kind));
  return {
    asHolder: part('holder'),
    asDeveloper: part('developer'),
    asDistributor: part('costs'),
    formerDebts: part('debt'),
  };
}

function sumsOf(shares: readonly Share[], amountOf: (share: Share) => bigint): Sums {
  const sumOf = (asset: RewardAsset): string =>
    shares
      .filter((share) => share.asset === asset)
      .reduce((sum, share) => sum + amountOf(share), 0n)
      .toString();
  return Object.fromEntries(REWARD_ASSETS.map((asset) => [asset, sumOf(asset)])) as Sums;
}
