/** The final steps of drafts of every lifetime: landed, or failed for good. Pure. */
import {
  type DraftEvent,
  SubmissionConfirmed,
  SubmissionFailed,
  SubmissionFinalized,
} from '../../streams/draft-events.ts';
import { type Outcome, refused } from './judge-outcome.ts';
import type { Conclusion, Step } from './step.ts';

export function landedStep(
  transactionId: string,
  commitment: 'confirmed' | 'finalized',
  { signature, slot }: { readonly signature: string; readonly slot: number },
): Conclusion {
  const data = { transactionId, signature, slot: String(slot) };
  return {
    kind: 'record',
    event: commitment === 'confirmed' ? SubmissionConfirmed(data) : SubmissionFinalized(data),
  };
}

export function failedStep(
  transactionId: string,
  { code, message, logs }: Extract<Outcome, { kind: 'failed' }>,
): Extract<Conclusion, { kind: 'record' }> {
  return { kind: 'record', event: SubmissionFailed({ transactionId, code, message, logs: [...logs] }) };
}

/** The chain refused it anyway; only its logs have it looked up. */
export function refusedStep(transactionId: string, signature: string, error: string): Step {
  return {
    kind: 'search',
    search: {
      name: `logs of ${signature}`,
      commitment: 'finalized',
      known: [signature],
      matches: () => true,
    },
    conclude: (outcome) =>
      failedStep(transactionId, refused(error, outcome.kind === 'found' ? outcome.transaction.logs : [])),
  };
}

/** A single node that is behind proves no absence: it counts after this many observations in a row. */
const OBSERVATIONS_OF_ABSENCE = 5;

export function onceRepeated(event: DraftEvent, observed: number): Conclusion {
  return observed < OBSERVATIONS_OF_ABSENCE ? { kind: 'wait' } : { kind: 'record', event };
}
