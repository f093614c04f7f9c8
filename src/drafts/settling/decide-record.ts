/** Whether what was judged of a draft is still to be recorded. Pure. */
import type { DraftEvent, DraftState } from '../../streams/draft.ts';

/** Only while the draft is in the state that was judged, and not what is so already: a newer state is judged anew. */
export function decideRecord(
  state: DraftState,
  { judged, event }: { readonly judged: DraftState; readonly event: DraftEvent },
): readonly DraftEvent[] {
  const isJudged = state.status === judged.status && state.accepted?.signature === judged.accepted?.signature;
  return isJudged && !isSo(state, event) ? [event] : [];
}

/** What leaves the status as it is says so by itself. */
function isSo({ flooded, unknown, overdue }: DraftState, { type }: DraftEvent): boolean {
  switch (type) {
    case 'DraftHistoryFlooded':
      return flooded !== undefined;
    case 'DraftOutcomeUnknown':
      return unknown !== undefined;
    case 'SubmissionOverdue':
      return overdue !== undefined;
    default:
      return false;
  }
}
