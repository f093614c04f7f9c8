/** The final steps of drafts of every lifetime: landed, or failed for good. Pure. */
import {
  SubmissionConfirmed,
  SubmissionDropped,
  SubmissionFailed,
  SubmissionFinalized,
} from '../../streams/draft-events.ts';
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
  code: 'CHAIN_REJECTED' | 'TRANSACTION_EXPIRED',
  message: string,
  logs: readonly string[] = [],
): Conclusion {
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
      failedStep(
        transactionId,
        'CHAIN_REJECTED',
        refusalOf(error),
        outcome.kind === 'found' ? outcome.transaction.logs : [],
      ),
  };
}

export function refusalOf(error: string): string {
  return `The chain refused the transaction: ${error}.`;
}

/** A single node that is behind is no fork: a confirmation counts as gone after this many observations in a row. */
const OBSERVATIONS_OF_A_FORK = 5;

export function onceGone(transactionId: string, observed: number): Conclusion {
  return observed < OBSERVATIONS_OF_A_FORK
    ? { kind: 'wait' }
    : { kind: 'record', event: SubmissionDropped({ transactionId }) };
}
