/**
 * One stream per unsigned transaction that the service issued, from its issue through the submission to its outcome on the chain.
 * All purposes share this life cycle; the `subject` of a draft describes its purpose.
 */
import { defineStream } from '../kernel/runtime/define-stream.ts';
import { type DraftEvent, draftEvents } from './draft-events.ts';
import {
  type AbsentDraft,
  conclusionOf,
  type DraftOnRecord,
  type DraftState,
  type Ended,
  isCancelled,
  isLiving,
  type Living,
  type SentByCreator,
  type Submitted,
} from './draft-state.ts';

export const draft = defineStream({
  category: 'draft',
  events: draftEvents,
  internal: {
    DraftAbandoned: 'Drafts concern only their creator and the service.',
    DraftIssued: 'Drafts concern only their creator and the service.',
    DraftSuperseded: 'Drafts concern only their creator and the service.',
    DraftExpired: 'Drafts concern only their creator and the service.',
    DraftCancelled: 'Drafts concern only their creator and the service.',
    DraftHistoryFlooded: 'Drafts concern only their creator and the service.',
    DraftOutcomeUnknown: 'Drafts concern only their creator and the service.',
    DraftConcluded: 'The outcome that follows is published.',
  },
  initial: { status: 'absent', abandonments: 0 } as DraftState,
  evolve: evolveDraft,
});

/**
 * An operator may have quarantined any event. So each event leads to the stage that it names, even if earlier ones
 * are missing.
 */
function evolveDraft(state: DraftState, event: DraftEvent): DraftState {
  switch (state.status) {
    case 'absent':
      return begun(state, event);
    case 'unreadable':
      return state;
    default:
      return evolveLiving(state, event);
  }
}

function begun(state: AbsentDraft, event: DraftEvent): DraftState {
  switch (event.type) {
    case 'DraftAbandoned':
      return { ...state, abandonments: state.abandonments + 1 };
    case 'DraftIssued':
      return { status: 'open', issued: event.data, ...NOT_SEARCHED };
    default:
      return { status: 'unreadable' };
  }
}

function evolveLiving(state: DraftOnRecord, event: DraftEvent): DraftOnRecord {
  switch (event.type) {
    case 'DraftAbandoned':
    case 'DraftIssued':
      return state;
    case 'DraftSuperseded':
      return { status: 'superseded', issued: state.issued };
    case 'DraftExpired':
      return { status: 'expired', ...endOf(state), cancelled: isCancelled(state) };
    case 'DraftCancelled':
      return { status: 'cancelled', ...lifeOf(state) };
    case 'SubmissionAccepted':
      return { status: 'submitted', ...lifeOf(state), accepted: event.data, overdue: undefined };
    case 'SubmissionOverdue':
      return 'accepted' in state && state.accepted !== undefined ? { ...state, overdue: event.data } : state;
    case 'SubmissionConfirmed':
      return { status: 'confirmed', ...lifeOf(state), ...sendingOf(state), landed: event.data };
    case 'SubmissionDropped':
      return dropped(state);
    case 'DraftHistoryFlooded':
      return isLiving(state) ? { ...state, flooded: event.data } : state;
    case 'DraftOutcomeUnknown':
      return isLiving(state) ? { ...state, unknown: event.data } : state;
    case 'DraftConcluded':
      return state.status === 'superseded' ? state : { ...state, concluded: event.data };
    case 'SubmissionFinalized':
      return { status: 'finalized', ...endOf(state), ...sendingOf(state), landed: event.data };
    case 'SubmissionFailed':
      return { status: 'failed', ...endOf(state), ...sendingOf(state), failed: event.data };
  }
}

const NOT_SEARCHED = { flooded: undefined, unknown: undefined, concluded: undefined } as const;

function lifeOf(state: DraftOnRecord): Living {
  const { flooded, unknown, concluded } = isLiving(state) ? state : NOT_SEARCHED;
  return { issued: state.issued, flooded, unknown, concluded };
}

function endOf(state: DraftOnRecord): Ended {
  return { issued: state.issued, concluded: conclusionOf(state) };
}

function sendingOf(state: DraftOnRecord): Submitted | SentByCreator {
  return 'accepted' in state && state.accepted !== undefined
    ? { accepted: state.accepted, overdue: state.overdue }
    : { accepted: undefined, cancelled: isCancelled(state) };
}

/**
 * State after a fork dropped the transaction: submitted if the service had accepted it, else the status before its creator sent
 * it directly.
 */
function dropped(state: DraftOnRecord): DraftOnRecord {
  const [life, sending] = [lifeOf(state), sendingOf(state)];
  if (sending.accepted !== undefined) return { status: 'submitted', ...life, ...sending };
  return { status: sending.cancelled ? 'cancelled' : 'open', ...life };
}
