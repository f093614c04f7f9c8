/** Skips checks of drafts that only change with time, such as those waiting for finality. */

import type { TransactionDocument } from '../../projections/transactions.ts';
import type { DraftStatus } from '../../streams/draft-state.ts';
import type { LoadedDraft } from './loaded-draft.ts';
import type { SettlerOptions } from './step-effects.ts';
import type { Step } from './steps.ts';

const SLOTS_BETWEEN_CHECKS = 4;
/** Rests in milliseconds: the default while slot lengths are not measured, and the maximum. */
const [UNMEASURED_REST, LONGEST_REST] = [1_000, 2_000];

/** `status` is absent if the read model does not include the draft yet. */
export type WorkItem = Pick<TransactionDocument, 'transactionId'> &
  Partial<Pick<TransactionDocument, 'status'>>;

export function createCheckSchedule({
  clock,
  slotTime,
  pause,
}: Pick<SettlerOptions, 'clock' | 'slotTime' | 'pause'>) {
  /** A rest ends early if the draft's status changes. */
  const resting = new Map<string, { readonly status: DraftStatus; readonly until: number }>();
  const now = () => clock.now().getTime();

  function length(): number {
    const slot = slotTime.latest();
    return slot === undefined
      ? UNMEASURED_REST
      : Math.min(Math.max(SLOTS_BETWEEN_CHECKS * slot, pause), LONGEST_REST);
  }

  return {
    /** Ids of the drafts that are due for a check. */
    due(items: readonly WorkItem[]) {
      const isPostponed = ({ transactionId, status }: WorkItem) => {
        const rest = resting.get(transactionId);
        return rest !== undefined && rest.status === status && now() < rest.until;
      };
      return items.filter((item) => !isPostponed(item)).map(({ transactionId }) => transactionId);
    },
    after(followed: LoadedDraft, step: Step) {
      const status = postponableStatus(followed, step);
      if (status === undefined) resting.delete(followed.transactionId);
      else resting.set(followed.transactionId, { status, until: now() + length() });
    },
    /** Milliseconds until the next of the drafts is due for a check. */
    pauseOf(looked: readonly string[]) {
      if (looked.some((transactionId) => !resting.has(transactionId))) return pause;
      const untils = [...resting.values()].map(({ until }) => until - now());
      return Math.max(pause, Math.min(...untils, LONGEST_REST));
    },
    dropOthers(present: ReadonlySet<string>) {
      for (const transactionId of resting.keys())
        if (!present.has(transactionId)) resting.delete(transactionId);
    },
  };
}

/** Status in which only time changes the draft; undefined if it may change at any time. */
function postponableStatus({ state }: Pick<LoadedDraft, 'state'>, step: Step): DraftStatus | undefined {
  if (step.kind === 'record') return step.event.type === 'SubmissionConfirmed' ? 'confirmed' : undefined;
  return step.kind === 'wait' && state.status !== 'submitted' ? state.status : undefined;
}
