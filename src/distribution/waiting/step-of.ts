/** Which step an open run is in, by what its streams say. */
import type { DistributionState } from '../../streams/distribution.ts';
import type { DistributionRunState } from '../../streams/distribution-run.ts';
import { announced, type RunStep, recordedStep } from '../../streams/distribution-step.ts';

/** Asking for a run moves none, and neither do holders that are read again. */
const MOVING_NOTHING: readonly string[] = ['RunRequested', 'ScanDisagreed'];

/** When the last of these events was recorded that moved the run. ISO 8601. */
export function latestOf(
  events: readonly { readonly type: string; readonly metadata: { readonly occurredAt: string } }[],
): string {
  return events
    .filter(({ type }) => !MOVING_NOTHING.includes(type))
    .reduce((latest, { metadata: { occurredAt } }) => (occurredAt > latest ? occurredAt : latest), '');
}

export function stepOf(
  {
    pending,
    pendingPurpose,
    till,
    landed,
  }: Pick<DistributionState, 'pending' | 'pendingPurpose' | 'till' | 'landed'>,
  { scanned, collected, split, allotted, pots, witnessed }: DistributionRunState,
  now: Date,
): RunStep {
  const isPending = pending.length > 0;
  const step = recordedStep({
    pendingPurpose: isPending ? (pendingPurpose ?? 'begin') : undefined,
    isBegun: till !== undefined,
    isScanned: scanned !== undefined,
    isCollected: collected !== undefined,
    isSplit: split !== undefined,
    isAllotted: allotted !== undefined,
    left: pots.map(({ value }) => value),
    isOpened: landed.some(({ purpose }) => purpose === 'open'),
    isClosing: witnessed.length > 0 || landed.some(({ purpose }) => purpose === 'close'),
  });
  return announced({ step, since: '' }, allotted?.payAfter, isPending, now).step;
}
