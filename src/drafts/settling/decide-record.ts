/** Whether what was judged of a draft is still to be recorded. Pure. */
import type { DraftEvent } from '../../streams/draft-events.ts';
import { acceptedOf, type DraftState, isLiving, isPending } from '../../streams/draft-state.ts';

/** Only while the draft is in the state that was judged, and not what is so already: a newer state is judged anew. */
export function decideRecord(
  state: DraftState,
  { judged, event }: { readonly judged: DraftState; readonly event: DraftEvent },
): readonly DraftEvent[] {
  const isJudged =
    state.status === judged.status && acceptedOf(state)?.signature === acceptedOf(judged)?.signature;
  return isJudged && !isSo(state, event) ? [event] : [];
}

/** What leaves the status as it is says so by itself. */
function isSo(state: DraftState, { type }: DraftEvent): boolean {
  switch (type) {
    case 'DraftHistoryFlooded':
      return isLiving(state) && state.flooded !== undefined;
    case 'DraftOutcomeUnknown':
      return isLiving(state) && state.unknown !== undefined;
    case 'SubmissionOverdue':
      return isPending(state) && state.overdue !== undefined;
    default:
      return false;
  }
}
