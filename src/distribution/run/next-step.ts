/** Chooses the next step of a run from its records and from this process's reads of the holders. Pure. */

import type { DistributionState, LinkPurpose } from '../../streams/distribution.ts';
import { linksToDrive } from '../../streams/distribution.ts';
import type { DistributionRunState } from '../../streams/distribution-run.ts';
import type { HolderScan } from '../collecting/holder-scan.ts';
import { isAllPaid, type RECIPIENTS } from '../paying/plan-batches.ts';
import type { TokenMemory } from '../token-memory.ts';

export type NextStep =
  /** Sends the recorded links of the till, or finds that they have landed. */
  | 'drive-links'
  | 'begin'
  /** Chosen after an operator has corrected a balance. */
  | 'correct'
  /** Chosen if the scan is not recorded yet, or was read by a process that has ended. */
  | 'scan'
  | 'collect'
  | 'split'
  | 'allot'
  | 'open'
  | 'pay'
  | 'close';

interface RunFacts {
  readonly state: Pick<DistributionState, 'pending' | 'till' | 'landed' | 'corrected'>;
  readonly run: DistributionRunState;
}

/** `recipients`: maximum per transaction. */
export function nextStep(
  { state, run }: RunFacts,
  {
    owners,
    scan,
  }: Pick<TokenMemory, 'owners'> & { readonly scan: Pick<HolderScan, 'mintAfter'> | undefined },
  recipients: typeof RECIPIENTS,
): NextStep {
  const hasLanded = (wanted: LinkPurpose) => state.landed.some(({ purpose }) => purpose === wanted);
  if (linksToDrive(state).length > 0) return 'drive-links';
  if (state.till === undefined) return 'begin';
  if (state.corrected !== undefined && run.collected !== undefined && run.corrected !== state.corrected.slot)
    return 'correct';
  // Only the scan lists the accounts with withheld tax; after collection, the owners suffice.
  if (run.collected === undefined)
    return owners !== undefined && scan?.mintAfter !== undefined ? 'collect' : 'scan';
  if (run.split === undefined) return 'split';
  if (run.allotted === undefined) return owners === undefined ? 'scan' : 'allot';
  if (run.allotted.pots.length > 0 && !hasLanded('open')) return 'open';
  // Once the links that close the pots are recorded, `drive-links` settles late payments from these pots.
  return hasLanded('close') || isAllPaid(run.allotted, run, recipients) ? 'close' : 'pay';
}
