/** Drafts after some events, in the stage that a test means: a test that is wrong about it fails there. */
import { draft } from '../../src/streams/draft.ts';
import type { DraftEvent } from '../../src/streams/draft-events.ts';
import {
  type DraftState,
  isLiving,
  isPending,
  type LivingDraft,
  type PendingSubmission,
} from '../../src/streams/draft-state.ts';

export function draftAfter(...events: readonly DraftEvent[]): DraftState {
  return events.reduce(draft.evolve, draft.initial);
}

export function livingAfter(...events: readonly DraftEvent[]): LivingDraft {
  const state = draftAfter(...events);
  if (!isLiving(state)) throw new Error(`its outcome is not open: it is ${state.status}`);
  return state;
}

export function pendingAfter(...events: readonly DraftEvent[]): PendingSubmission {
  const state = draftAfter(...events);
  if (!isPending(state)) throw new Error(`no pending submission: it is ${state.status}`);
  return state;
}
