/** What a run costs the distributor in fees, estimated before it begins. Pure. */

import type { RewardAsset } from '../streams/distribution.ts';
import { ACCOUNTS_PER_HARVEST } from './collecting/harvest-tax.ts';
import type { DistributionPolicy } from './engine-parts.ts';
import { RECIPIENTS, stretchesOf } from './paying/plan-batches.ts';
import { POTS_PER_CLOSE, POTS_PER_OPEN } from './pots.ts';
import { SIGNATURE_FEE } from './sending/sender.ts';

/** Lamports, without what transactions pay beside their signatures. */
export function estimateFees(run: {
  readonly asset: RewardAsset;
  readonly withWithheld: number;
  readonly owners: number;
  readonly mostPots: number;
  readonly isFirst: boolean;
}): bigint {
  const { asset, withWithheld, owners, mostPots, isFirst } = run;
  // The token is paid out of one account.
  const pots = stretchesOf(owners, RECIPIENTS[asset], asset === 'sol' ? mostPots : 1).length;
  const harvests = Math.ceil(withWithheld / ACCOUNTS_PER_HARVEST);
  const payments = Math.ceil(owners / RECIPIENTS[asset]);
  // The withdrawal, the split and, once, the first link.
  const links =
    1 + 1 + (isFirst ? 1 : 0) + Math.ceil(pots / POTS_PER_OPEN) + Math.ceil(pots / POTS_PER_CLOSE);
  // The distributor pays; where the token itself is paid, the run's key signs too.
  const signers = asset === 'sol' ? 1 : 2;
  return SIGNATURE_FEE * BigInt(harvests + signers * payments + 2 * links);
}

/** The most of what a sale brings that may go into the run's fees; lamports. */
export function mostCosts(
  proceeds: bigint,
  { costsMaxBasisPoints }: Pick<DistributionPolicy, 'costsMaxBasisPoints'>,
): bigint {
  return (proceeds * BigInt(costsMaxBasisPoints)) / 10_000n;
}
