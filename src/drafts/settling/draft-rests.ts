/** Which drafts need no look for a while: those that only time changes, such as one that waits for finality. */

import type { Clock } from '../../kernel/runtime/clock.ts';
import type { TransactionDocument } from '../../projections/transactions.ts';
import type { DraftStatus } from '../../streams/draft-state.ts';
import type { SlotTime } from '../slot-time.ts';
import type { FollowedDraft } from './followed-draft.ts';
import type { Step } from './step.ts';

const SLOTS_BETWEEN_LOOKS = 4;
/** Milliseconds: the same, as long as nobody knows how long slots are, and at most. */
const [UNMEASURED_REST, LONGEST_REST] = [1_000, 2_000];

/** Without a status where the read model does not show it. */
export type WorkItem = Pick<TransactionDocument, 'transactionId'> &
  Partial<Pick<TransactionDocument, 'status'>>;

export interface DraftRests {
  /** The ids of those that are due for a check. */
  due(items: readonly WorkItem[]): readonly string[];
  after(followed: FollowedDraft, step: Step): void;
  /** Milliseconds until one of these, or one that rests, is due for a check. */
  pauseOf(looked: readonly string[]): number;
  forgetOthers(present: ReadonlySet<string>): void;
}

export function createDraftRests({
  clock,
  slotTime,
  pause,
}: {
  readonly clock: Clock;
  readonly slotTime: SlotTime;
  readonly pause: number;
}): DraftRests {
  /** Each rests as long as it has this status. */
  const resting = new Map<string, { readonly status: DraftStatus; readonly until: number }>();
  const now = () => clock.now().getTime();

  function length(): number {
    const slot = slotTime.latest();
    return slot === undefined
      ? UNMEASURED_REST
      : Math.min(Math.max(SLOTS_BETWEEN_LOOKS * slot, pause), LONGEST_REST);
  }

  return {
    due(items) {
      const isResting = ({ transactionId, status }: WorkItem) => {
        const rest = resting.get(transactionId);
        return rest !== undefined && rest.status === status && now() < rest.until;
      };
      return items.filter((item) => !isResting(item)).map(({ transactionId }) => transactionId);
    },
    after(followed, step) {
      const status = statusToRestIn(followed, step);
      if (status === undefined) resting.delete(followed.transactionId);
      else resting.set(followed.transactionId, { status, until: now() + length() });
    },
    pauseOf(looked) {
      if (looked.some((transactionId) => !resting.has(transactionId))) return pause;
      const untils = [...resting.values()].map(({ until }) => until - now());
      return Math.max(pause, Math.min(...untils, LONGEST_REST));
    },
    forgetOthers(present) {
      for (const transactionId of resting.keys())
        if (!present.has(transactionId)) resting.delete(transactionId);
    },
  };
}

/** In which the draft is when only time changes it; undefined if it may change at any moment. */
function statusToRestIn({ state }: Pick<FollowedDraft, 'state'>, step: Step): DraftStatus | undefined {
  if (step.kind === 'record') return step.event.type === 'SubmissionConfirmed' ? 'confirmed' : undefined;
  return step.kind === 'wait' && state.status !== 'submitted' ? state.status : undefined;
}
