/** The document of a draft as its issue makes it. */
import { type TransactionDocument, transactions } from '../../src/projections/transactions.ts';
import { DraftIssued } from '../../src/streams/draft-events.ts';
import { issuedDraft } from './domain-examples.ts';
import { happening, recordedEvents } from './recorded-events.ts';

export function transactionDocument(transactionId: string): TransactionDocument {
  const issued = DraftIssued({ ...issuedDraft, transactionId });
  const [event] = recordedEvents([happening(transactionId, issued)]);
  const made = event && transactions.on.DraftIssued?.apply(undefined, event);
  if (made === undefined) throw new Error('an issued draft has a document');
  return made as TransactionDocument;
}
