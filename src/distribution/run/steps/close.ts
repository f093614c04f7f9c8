/** Closes the pots, then the books: writes the settlement and records the run as closed only if every equation holds. */
import { WitnessAwaited } from '../../../streams/distribution-run.ts';
import { waitFor } from '../../../streams/distribution-wait.ts';
import { isConfirmed } from '../../absences.ts';
import {
  type Decision,
  halts,
  isDecision,
  recordsAndWaits,
  recordsLinks,
  recordsOfToken,
  waits,
} from '../../decision.ts';
import { TROUBLE_PAUSE } from '../../engine-parts.ts';
import { nameOf, paymentsOf } from '../../paying/meters.ts';
import { paymentMissingReason, potMissingReason, waitForHiddenPot } from '../../paying/settle-batches.ts';
import { consecutiveLinks, POTS_PER_CLOSE } from '../../pots.ts';
import { type RunView, type StepAt, slotReached, tillOf } from '../../view.ts';
import {
  batchesToConfirm,
  type ClosingBooks,
  closingBooks,
  liableBooks,
  runClosed,
  settlementChunks,
} from '../closing-books.ts';
import { readOpenPots } from '../closing-pots.ts';
import { bookOf } from '../open-payments.ts';
import { unlistedPayment } from '../payment-history.ts';
import { askWitness, readBooksBeforeClose, type WitnessVerdict } from '../read-books.ts';

interface CloseFacts {
  readonly books: ClosingBooks;
  /** Undefined without a second node. */
  readonly witness: WitnessVerdict | undefined;
  /** SHA-256 of the settlement file; undefined if the books cannot be closed yet. */
  readonly settlement: string | undefined;
  readonly now: Date;
}

export async function checkBooks(at: StepAt): Promise<CloseFacts | Decision> {
  const { parts, view, memory } = at;
  const left = await readOpenPots(at);
  const isRepeated = (name: string, slot: bigint) =>
    isConfirmed(memory.absences, name, { slot, at: parts.clock.now().getTime() });
  if ('pot' in left) {
    const { pot, slot, meter } = left;
    if (meter !== 'missing')
      return paymentMissing(paymentMissingReason(pot, left), isRepeated(paymentsOf(pot), slot));
    return isRepeated(nameOf(pot), slot)
      ? halts('POT_MISSING', potMissingReason(pot, slot))
      : waits(waitForHiddenPot(pot, slot));
  }
  if (left.actions.length > 0)
    return recordsLinks(
      view,
      'close',
      consecutiveLinks(view.token, tillOf(view.state), left.actions, POTS_PER_CLOSE),
    );
  const shown = await readBooksBeforeClose(at);
  if (isDecision(shown)) return shown;
  const { allotted } = view.run;
  if (allotted === undefined)
    throw new Error('the run cannot be closed before it is collected, split and allotted');
  const books = closingBooks(view, await bookOf(at, allotted.ledger), shown.last);
  const facts = { books, now: parts.clock.now() };
  if (books.broken !== undefined) return { ...facts, witness: undefined, settlement: undefined };
  const unlisted = await unlistedPayment(parts.chain, memory.listings, batchesToConfirm(view.run, books), {
    settled: view.run.settled,
    atLeastSlot: slotReached(view.state),
  });
  if (unlisted !== undefined) {
    const { asset, account, signature, sum, surplus } = unlisted.payment;
    const place = asset === 'sol' ? `the till ${shown.last.till}` : `the account ${view.token.tokens}`;
    return paymentMissing(
      `At slot ${shown.slot} ${place} holds ${surplus} more than is kept, owed or undivided, and the history of ${account} does not list the settled payment ${signature} of ${sum}.`,
      unlisted.isComplete && isRepeated(`the payment ${signature}`, shown.slot),
    );
  }
  const witness = parts.witness && (await askWitness(parts.witness, view, liableBooks(books)));
  if (witness !== undefined) parts.onWitnessVerdict(witness);
  const isVouchedFor = witness === undefined || witness.state === 'agrees';
  // The file is addressed by its content, so writing it again is harmless.
  const settlement = isVouchedFor ? await parts.blobs.put(settlementChunks(view, books)) : undefined;
  return { ...facts, witness, settlement };
}

/** `isProven`: true if enough repeated responses contradict the settlement. */
function paymentMissing(reason: string, isProven: boolean): Decision {
  return isProven ? halts('BOOKS_DISAGREE', reason) : waits(waitFor('chain-unavailable', reason));
}

export function decideClose(view: RunView, { books, witness, settlement, now }: CloseFacts): Decision {
  const { tokenId, runId } = view.open;
  if (books.broken !== undefined) return halts('BOOKS_DISAGREE', `The books do not agree: ${books.broken}.`);
  if (witness !== undefined && witness.state !== 'agrees') {
    const waiting = {
      for: waitFor('unconfirmed', `The second node ${witness.detail ?? 'does not respond'}.`),
      pause: TROUBLE_PAUSE,
    };
    const isRecorded = view.run.witnessed.includes(witness.state);
    return recordsAndWaits(
      isRecorded ? undefined : WitnessAwaited({ tokenId, runId, witness: witness.state }),
      waiting,
    );
  }
  if (settlement === undefined) throw new Error('the settlement is missing although the books agree');
  return recordsOfToken(runClosed(view, books, { settlement, now }));
}
