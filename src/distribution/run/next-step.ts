/** What comes next in a run: by what is recorded of it, and by what this process has read of the holders since. Pure. */
import { linksToDrive } from '../../streams/corrected-books.ts';
import type { DistributionState, LinkPurpose } from '../../streams/distribution.ts';
import type { DistributionRunState } from '../../streams/distribution-run.ts';
import type { HolderScan } from '../collecting/scan-holders.ts';
import { isAllPaid, type RECIPIENTS } from '../paying/plan-batches.ts';
import type { TokenMemory } from '../token-memory.ts';

export type NextStep =
  /** What is recorded for the till is signed and sent, or seen to have landed. */
  | 'drive-links'
  | 'begin'
  /** An operator has corrected a balance. */
  | 'correct'
  /** Not recorded yet, or read by a process that has ended. */
  | 'scan'
  | 'collect'
  | 'split'
  | 'allot'
  | 'open'
  | 'pay'
  | 'close';

export interface RunSoFar {
  readonly state: Pick<DistributionState, 'pending' | 'till' | 'landed' | 'corrected'>;
  readonly run: DistributionRunState;
}

/** `recipients`: of a transaction. */
export function nextStep(
  { state, run }: RunSoFar,
  { owners, scan }: Pick<TokenMemory, 'owners'> & { readonly scan: Pick<HolderScan, 'stage'> | undefined },
  recipients: typeof RECIPIENTS,
): NextStep {
  const hasLanded = (wanted: LinkPurpose) => state.landed.some(({ purpose }) => purpose === wanted);
  if (linksToDrive(state).length > 0) return 'drive-links';
  if (state.till === undefined) return 'begin';
  if (state.corrected !== undefined && run.collected !== undefined && run.corrected !== state.corrected.slot)
    return 'correct';
  // The scan knows where tax is withheld; whoever has collected needs the owners alone.
  if (run.collected === undefined) return owners !== undefined && scan?.stage === 'done' ? 'collect' : 'scan';
  if (run.split === undefined) return 'split';
  if (run.allotted === undefined) return owners === undefined ? 'scan' : 'allot';
  if (run.allotted.pots.length > 0 && !hasLanded('open')) return 'open';
  // What lands in a pot that is being closed is settled by the links that close it.
  return hasLanded('close') || isAllPaid(run.allotted, run, recipients) ? 'close' : 'pay';
}
