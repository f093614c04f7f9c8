/** The payments of a run's ledger, as this process remembers them: they are read once. */
import { openAllotment } from '../ledger/allotment-file.ts';
import { rangeOf } from '../ledger/run-ledger.ts';
import { type PaymentBook, readPaymentBook } from '../paying/payment-book.ts';
import type { StepAt } from './step-at.ts';

export async function bookOf(
  { parts: { blobs, rest }, view: { open }, memory }: StepAt,
  ledger: string,
): Promise<PaymentBook> {
  if (memory.book?.ledger === ledger) return memory.book.book;
  const allotment = await openAllotment(rangeOf(blobs, ledger));
  const book = await readPaymentBook(allotment, open.mint, rest);
  memory.book = { ledger, book };
  return book;
}
