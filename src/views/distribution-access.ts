/** Access to a token's distribution: public, or only for the creator if the token is hidden. */
import type { ReadModel } from '../kernel/ports/read-model.ts';
import type { Caching } from '../kernel/runtime/define-query.ts';
import { type DistributionRunDocument, distributionRuns } from '../projections/distribution-runs.ts';
import { type DistributionSwitchDocument, distributionSwitch } from '../projections/distribution-switch.ts';
import { type DistributionDocument, distributions } from '../projections/distributions.ts';
import { DISTRIBUTION_SWITCH } from '../streams/distribution-switch.ts';
import { rejection } from '../streams/rejections.ts';
import { isVisibleTo, tokenIdOf } from './token-access.ts';

/** Rejects with `TOKEN_NOT_FOUND`. */
export async function visibleDistribution(
  readModel: ReadModel,
  reference: string,
  caller: string,
): Promise<DistributionDocument> {
  const found = await readModel.get(distributions, tokenIdOf(reference));
  if (isVisibleTo(found, caller)) return found;
  throw rejection('TOKEN_NOT_FOUND', 'Token not found.');
}

/** Rejects with `TOKEN_NOT_FOUND` or `RUN_NOT_FOUND`. */
export async function visibleRun(
  readModel: ReadModel,
  { tokenId, runId }: { readonly tokenId: string; readonly runId: string },
  caller: string,
): Promise<{ readonly distribution: DistributionDocument; readonly run: DistributionRunDocument }> {
  const distribution = await visibleDistribution(readModel, tokenId, caller);
  const run = await readModel.get(distributionRuns, runId);
  if (run?.tokenId === distribution.tokenId) return { distribution, run };
  throw rejection('RUN_NOT_FOUND', 'Run not found.');
}

/** Undefined unless an operator has halted all distributions. */
export function haltOfAll(readModel: ReadModel): Promise<DistributionSwitchDocument | undefined> {
  return readModel.get(distributionSwitch, DISTRIBUTION_SWITCH);
}

/** Caching of a run's pages. Pages of a closed run never change, but shared caches must not store pages of hidden tokens. */
export function cachingOf({ hidden }: DistributionDocument, { closedAt }: DistributionRunDocument): Caching {
  return closedAt === null || hidden ? 'revalidated' : 'immutable';
}
