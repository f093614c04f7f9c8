/** The final steps of drafts of every lifetime: landed, or failed for good. */
import { SubmissionConfirmed, SubmissionFailed, SubmissionFinalized } from '../../streams/draft.ts';
import type { Step } from './settler.ts';

export function landedStep(
  transactionId: string,
  commitment: 'confirmed' | 'finalized',
  { signature, slot }: { readonly signature: string; readonly slot: number },
): Step {
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
): Step {
  return { kind: 'record', event: SubmissionFailed({ transactionId, code, message, logs: [...logs] }) };
}
