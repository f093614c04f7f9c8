/** Events of an issued draft after its submission; each fits its schema. */
import {
  DraftAbandoned,
  DraftCancelled,
  DraftConcluded,
  DraftExpired,
  DraftHistoryFlooded,
  DraftOutcomeUnknown,
  DraftSuperseded,
  SubmissionDropped,
} from '../../src/streams/draft-events.ts';
import { addresses, ids, signatures } from './domain-examples.ts';

export function turnsOf(transactionId: string = ids.transactionId) {
  return {
    abandoned: DraftAbandoned({ transactionId }),
    superseded: DraftSuperseded({ transactionId, by: ids.otherTransactionId }),
    expired: DraftExpired({ transactionId }),
    cancelled: DraftCancelled({ transactionId }),
    /** A fork dropped the transaction. */
    dropped: SubmissionDropped({ transactionId }),
    flooded: DraftHistoryFlooded({ transactionId, address: addresses.mint, listed: 1_001 }),
    unknown: DraftOutcomeUnknown({
      transactionId,
      code: 'TRANSACTION_NOT_FOUND',
      address: addresses.mint,
      signatures: [signatures.second],
    }),
    concluded: DraftConcluded({
      transactionId,
      outcome: 'landed',
      signature: signatures.second,
      checked: 'transaction',
      reason: 'Looked up.',
      by: 'alice',
    }),
  };
}
