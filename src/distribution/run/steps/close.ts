/** Closes the pots, then the books: the settlement is written and the run recorded as closed only if every equation holds. */
import { WitnessAwaited } from '../../../streams/distribution-run.ts';
import { waitFor } from '../../../streams/distribution-wait.ts';
import { isGone } from '../../absences.ts';
import { LOOK_PAUSE, TROUBLE_PAUSE } from '../../engine-parts.ts';
import { nameOf, paymentsOf } from '../../paying/meters.ts';
import { unpaidReason } from '../../paying/settle-batches.ts';
import { linksInTurn, POTS_PER_CLOSE } from '../../pots.ts';
import { slotReached } from '../../slot-reached.ts';
import { bookOf } from '../book-of.ts';
import { askWitness, type BooksShown, lookAtBooks, type WordOfWitness } from '../books-shown.ts';
import {
  type ClosingBooks,
  closingBooks,
  doubtfulBatches,
  liableBooks,
  runClosed,
  settlementPieces,
} from '../closing-books.ts';
import { lookAtPots, type PotsLeft } from '../closing-pots.ts';
import { type Decision, halts, recordsLinks, recordsOfToken, waits } from '../decision.ts';
import { unlistedPayment } from '../payment-history.ts';
import type { StepAt } from '../step-at.ts';
import { type RunView, tillOf } from '../view.ts';

export type CloseFacts =
  | { readonly outcome: 'pots-left'; readonly actions: Extract<PotsLeft, { outcome: 'shown' }>['actions'] }
  | { readonly outcome: 'pot-hidden'; readonly pot: string; readonly slot: bigint; readonly isGone: boolean }
  /** `isProven`: so many answers contradict what was settled that no single one decides. */
  | { readonly outcome: 'unpaid'; readonly reason: string; readonly isProven: boolean }
  | { readonly outcome: 'books-hidden'; readonly shown: Exclude<BooksShown, { outcome: 'shown' }> }
  | {
      readonly outcome: 'books';
      readonly books: ClosingBooks;
      /** Undefined without a second node. */
      readonly word: WordOfWitness | undefined;
      /** The SHA-256 of its file; undefined where something keeps the books open. */
      readonly settlement: string | undefined;
      readonly now: Date;
    };

export async function lookAtClosing(at: StepAt): Promise<CloseFacts> {
  const { parts, view, memory } = at;
  const left = await lookAtPots(at);
  const isRepeated = (name: string, slot: bigint) =>
    isGone(memory.absences, name, { slot, at: parts.clock.now().getTime() });
  if (left.outcome === 'hidden') {
    const { pot, slot } = left;
    return { outcome: 'pot-hidden', pot, slot, isGone: isRepeated(nameOf(pot), slot) };
  }
  if (left.outcome === 'unpaid') {
    const { pot, meter, value, slot } = left;
    return {
      outcome: 'unpaid',
      reason: unpaidReason(pot, { meter, value, slot }),
      isProven: isRepeated(paymentsOf(pot), slot),
    };
  }
  if (left.actions.length > 0) return { outcome: 'pots-left', actions: left.actions };
  const shown = await lookAtBooks(at);
  if (shown.outcome !== 'shown') return { outcome: 'books-hidden', shown };
  const { allotted } = view.run;
  if (allotted === undefined) throw new Error('a run is closed when everything is paid');
  const books = closingBooks(view, await bookOf(at, allotted.ledger), shown.last);
  const facts = { outcome: 'books', books, now: parts.clock.now() } as const;
  if (books.broken !== undefined) return { ...facts, word: undefined, settlement: undefined };
  const unlisted = await unlistedPayment(parts.chain, memory.listings, doubtfulBatches(view.run, books), {
    settled: view.run.settled,
    atLeastSlot: slotReached(view.state),
  });
  if (unlisted !== undefined) {
    const { asset, account, signature, sum, surplus } = unlisted.payment;
    const place = asset === 'sol' ? `the till ${shown.last.till}` : `the account ${view.token.tokens}`;
    return {
      outcome: 'unpaid',
      reason: `At slot ${shown.slot} ${place} holds ${surplus} more than is kept, owed or undivided, and the history of ${account} does not list the settled payment ${signature} of ${sum}.`,
      isProven: unlisted.isComplete && isRepeated(`the payment ${signature}`, shown.slot),
    };
  }
  const word = parts.witness && (await askWitness(parts.witness, view, liableBooks(books)));
  if (word !== undefined) parts.witnessSaid(word);
  const isVouchedFor = word === undefined || word.state === 'agrees';
  return { ...facts, word, settlement: isVouchedFor ? await writeSettlement(at, books) : undefined };
}

/** Its name is its content: written again it is the same file. */
async function writeSettlement({ parts, view }: StepAt, books: ClosingBooks): Promise<string> {
  return parts.blobs.put(settlementPieces(view, books));
}

export function decideClose(view: RunView, facts: CloseFacts): Decision {
  switch (facts.outcome) {
    case 'pots-left':
      return recordsLinks(
        view,
        'close',
        linksInTurn(view.token, tillOf(view.state), facts.actions, POTS_PER_CLOSE),
      );
    case 'pot-hidden': {
      const { pot, slot } = facts;
      return facts.isGone
        ? halts('POT_MISSING', `The pot ${pot} is gone at slot ${slot}, and no close of it was recorded.`)
        : waits(waitFor('chain-unavailable', `The chain node does not show the pot ${pot} at slot ${slot}.`));
    }
    case 'unpaid':
      return facts.isProven
        ? halts('BOOKS_DISAGREE', facts.reason)
        : waits(waitFor('chain-unavailable', facts.reason), LOOK_PAUSE);
    case 'books-hidden':
      return decideHidden(facts.shown);
    case 'books':
      return decideBooks(view, facts);
  }
}

function decideHidden(shown: Extract<CloseFacts, { outcome: 'books-hidden' }>['shown']): Decision {
  switch (shown.outcome) {
    case 'till-gone':
      return halts('CHAIN_AHEAD_OF_LOG', shown.reason);
    case 'account-gone':
      return halts('BOOKS_DISAGREE', shown.reason);
    case 'hidden':
      return waits(waitFor('chain-unavailable', `The chain node does not show ${shown.what}.`), LOOK_PAUSE);
  }
}

function decideBooks(
  view: RunView,
  { books, word, settlement, now }: Extract<CloseFacts, { outcome: 'books' }>,
): Decision {
  const { tokenId, runId } = view.open;
  if (books.broken !== undefined) return halts('BOOKS_DISAGREE', `The books do not agree: ${books.broken}.`);
  if (word !== undefined && word.state !== 'agrees') {
    const waiting = {
      for: waitFor('unconfirmed', `The second node ${word.detail ?? 'does not answer'}.`),
      pause: TROUBLE_PAUSE,
    };
    // Other processes show what is waited for as well.
    return view.run.witnessed.includes(word.state)
      ? { kind: 'wait', waiting }
      : {
          kind: 'record-of-run',
          events: [WitnessAwaited({ tokenId, runId, witness: word.state })],
          waiting,
        };
  }
  if (settlement === undefined) throw new Error('books that agree have a settlement');
  return recordsOfToken(runClosed(view, books, { settlement, now }));
}
