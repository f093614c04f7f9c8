/** Combines engine parts, records and memory into the inputs of payments. */
import type { AllottedRun } from '../../streams/distribution-run.ts';
import { openAllotment } from '../ledger/allotment-file.ts';
import { rangeOf } from '../ledger/run-ledger.ts';
import { createPayingMemory, type Paying, type PayingMemory } from '../paying/paying-memory.ts';
import { type PaymentBook, readPaymentBook } from '../paying/payment-book.ts';
import { type StepAt, slotSettled } from '../view.ts';

export async function payingFor(at: StepAt, allotted: AllottedRun): Promise<Paying> {
  const { view, memory } = at;
  const { token, state, run } = view;
  return {
    token,
    run: allotted,
    state: run,
    book: await bookOf(at, allotted.ledger),
    memory: payingMemory(at),
    links: state,
    absences: memory.absences,
    searches: memory.searches,
  };
}

function payingMemory({ view: { state, run }, memory }: StepAt): PayingMemory {
  // Use the last event, because several transactions may open the pots.
  const opened = BigInt(state.landed.findLast(({ purpose }) => purpose === 'open')?.slot ?? '0');
  const reached = slotSettled(run, opened);
  memory.paying ??= createPayingMemory(reached);
  if (reached > memory.paying.slot) memory.paying.slot = reached;
  return memory.paying;
}

/** Caches the payments of a run's ledger, which are read once per process. */
export async function bookOf(
  { parts: { blobs, yieldToOthers }, view: { open }, memory }: StepAt,
  ledger: string,
): Promise<PaymentBook> {
  if (memory.book?.ledger === ledger) return memory.book.book;
  const allotment = await openAllotment(rangeOf(blobs, ledger));
  const book = await readPaymentBook(allotment, open.mint, yieldToOthers);
  memory.book = { ledger, book };
  return book;
}
