/** Which of the recorded links is to be brought onto the chain next, by what it shows of their tills. Pure. */
import type { DistributionState, RecordedLink } from '../../streams/distribution.ts';
import { waitFor } from '../../streams/distribution-wait.ts';
import { type Decision, waits } from '../decision.ts';
import type { TillsShown } from './look-at-tills.ts';

export interface NextLink {
  readonly link: RecordedLink;
  /** The till that it spends; undefined before the first link. */
  readonly current: string | undefined;
}

/** Whether these have landed and no recorded link builds on them: nothing is left to be signed. */
export function hasLandedWhole(
  path: readonly Pick<RecordedLink, 'till'>[],
  pending: readonly Pick<RecordedLink, 'previous'>[],
): boolean {
  const last = path.at(-1);
  return last !== undefined && !pending.some(({ previous }) => previous === last.till);
}

export function nextLink(
  { till, pending }: Pick<DistributionState, 'till' | 'pending'>,
  { isTill, markerExists }: Pick<TillsShown, 'isTill' | 'markerExists'>,
): NextLink | Decision {
  const known = [...pending.map((link) => link.till), ...(till === undefined ? [] : [till.address])];
  const current = known.find(isTill);
  if (current === undefined && markerExists)
    return waits(waitFor('chain-unavailable', 'The chain node does not show the till.'));
  // One till may have several contents: only the one recorded last can still land.
  const link = pending.findLast(({ previous }) => previous === (current ?? null));
  return link === undefined
    ? waits(waitFor('finality', 'A transaction of the run is on its way to being final.'))
    : { link, current };
}
