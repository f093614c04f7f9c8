/** Steps of settling as data, with the final ones: landed, or failed permanently. The settler executes them. Pure. */

import type { Search, SearchOutcome } from '../../chain/history-search.ts';
import {
  type DraftEvent,
  SubmissionConfirmed,
  SubmissionFailed,
  SubmissionFinalized,
} from '../../streams/draft-events.ts';

export type Conclusion = { readonly kind: 'wait' } | { readonly kind: 'record'; readonly event: DraftEvent };

/** Next action for a draft. */
export type Step =
  | Conclusion
  /** Base64; not sent again if the same bytes were sent recently. */
  | { readonly kind: 'send'; readonly transaction: string }
  | {
      readonly kind: 'search';
      readonly search: Search;
      readonly conclude: (outcome: SearchOutcome) => Conclusion;
    }
  /** Recorded only after several consecutive observations, since one node may lag. */
  | { readonly kind: 'absent'; readonly event: DraftEvent };

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

/** `error`: the chain's error; undefined if the transaction did not land in time. */
export function failedStep(
  transactionId: string,
  error: string | undefined,
  logs: readonly string[] = [],
): Extract<Conclusion, { kind: 'record' }> {
  const event =
    error === undefined
      ? SubmissionFailed({
          transactionId,
          code: 'TRANSACTION_EXPIRED',
          message: 'The transaction did not land in time and can no longer land.',
          logs: [],
        })
      : SubmissionFailed({
          transactionId,
          code: 'CHAIN_REJECTED',
          message: `The chain refused the transaction: ${error}.`,
          logs: [...logs],
        });
  return { kind: 'record', event };
}

/** The chain has rejected the transaction; the search only fetches its logs. */
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
      failedStep(transactionId, error, outcome.kind === 'found' ? outcome.transaction.logs : []),
  };
}

/** Consecutive observations after which an absence counts; a single one may come from a lagging node. */
const OBSERVATIONS_OF_ABSENCE = 5;

export function onceRepeated(event: DraftEvent, observed: number): Conclusion {
  return observed < OBSERVATIONS_OF_ABSENCE ? { kind: 'wait' } : { kind: 'record', event };
}
