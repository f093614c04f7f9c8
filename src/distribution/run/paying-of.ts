/** What payments are made with: of the parts of the engine, and of what is recorded and remembered. */
import type { AllottedRun } from '../../streams/distribution-run.ts';
import { createPayingMemory, type Paying, type PayingMemory } from '../paying/paying.ts';
import { slotSettled } from '../slot-reached.ts';
import { bookOf } from './book-of.ts';
import type { StepAt } from './step-at.ts';

export async function payingOf(at: StepAt, allotted: AllottedRun): Promise<Paying> {
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
  // The last: links that open pots may land one after another.
  const opened = BigInt(state.landed.findLast(({ purpose }) => purpose === 'open')?.slot ?? '0');
  const reached = slotSettled(run, opened);
  memory.paying ??= createPayingMemory(reached);
  if (reached > memory.paying.slot) memory.paying.slot = reached;
  return memory.paying;
}
