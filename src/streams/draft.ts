/**
 * One stream per unsigned transaction that the service issued: from its issue through the submission to its outcome on
 * the chain. All purposes share this life cycle; what a draft is for is its `subject`.
 */
import { defineStream } from '../kernel/runtime/define-stream.ts';
import { draftEvents } from './draft-events.ts';
import type { DraftState } from './draft-state.ts';
import { evolveDraft } from './evolve-draft.ts';

export const draft = defineStream({
  category: 'draft',
  events: draftEvents,
  internal: {
    DraftAbandoned: 'Drafts are between a creator and the service.',
    DraftIssued: 'Drafts are between a creator and the service.',
    DraftSuperseded: 'Drafts are between a creator and the service.',
    DraftExpired: 'Drafts are between a creator and the service.',
    DraftCancelled: 'Drafts are between a creator and the service.',
    DraftHistoryFlooded: 'Drafts are between a creator and the service.',
    DraftOutcomeUnknown: 'Drafts are between a creator and the service.',
    DraftConcluded: 'The outcome that follows it is told.',
  },
  initial: { status: 'absent', abandonments: 0 } as DraftState,
  evolve: evolveDraft,
});
