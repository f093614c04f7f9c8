/** Decides the end of drafts that were never submitted. Pure; returns no event unless the draft is in the required state. */
import { DraftAbandoned, type DraftEvent, DraftExpired, DraftSuperseded } from '../streams/draft-events.ts';
import type { DraftState } from '../streams/draft-state.ts';

type Events = readonly DraftEvent[];

interface Ending {
  readonly transactionId: string;
}

/** Abandoning increments the revision, so that a process that is still trying to record the draft conflicts. */
function decideAbandonment({ status }: DraftState, { transactionId }: Ending): Events {
  return status === 'absent' ? [DraftAbandoned({ transactionId })] : [];
}

export function decideSuperseding(
  { status }: DraftState,
  { transactionId, by }: Ending & { readonly by: string },
): Events {
  return status === 'open' ? [DraftSuperseded({ transactionId, by })] : [];
}

/** `now`: ISO 8601. */
function decideExpiry(state: DraftState, { transactionId, now }: Ending & { readonly now: string }): Events {
  const isOver = state.status === 'open' && state.issued.expiresAt <= now;
  return isOver ? [DraftExpired({ transactionId })] : [];
}

/** Ends the draft of an expired lease. `hasLapsed`: the lease is too old for a draft that is not recorded. */
export function decideEndOfLease(
  state: DraftState,
  ending: Ending & { readonly now: string; readonly hasLapsed: boolean },
): Events {
  if (state.status === 'absent') return ending.hasLapsed ? decideAbandonment(state, ending) : [];
  return decideExpiry(state, ending);
}
