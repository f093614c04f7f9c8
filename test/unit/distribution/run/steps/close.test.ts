// Closing a run: its pots, then its books, and what keeps either open.
import { describe, expect, test } from 'vitest';
import { LOOKS_UNTIL_GONE } from '../../../../../src/distribution/absences.ts';
import type { Decision } from '../../../../../src/distribution/decision.ts';
import { openSettlement } from '../../../../../src/distribution/ledger/settlement-file.ts';
import { isTrueToContent } from '../../../../../src/distribution/links/link-content.ts';
import { nameOf } from '../../../../../src/distribution/paying/meters.ts';
import type { PaymentBook } from '../../../../../src/distribution/paying/payment-book.ts';
import { linksInTurn, POTS_PER_CLOSE } from '../../../../../src/distribution/pots.ts';
import { closingBooks } from '../../../../../src/distribution/run/closing-books.ts';
import {
  type CloseFacts,
  decideClose,
  lookAtClosing,
} from '../../../../../src/distribution/run/steps/close.ts';
import { tillOf } from '../../../../../src/distribution/view.ts';
import { type Chain, ChainUnavailable } from '../../../../../src/kernel/ports/chain.ts';
import { distribution } from '../../../../../src/streams/distribution.ts';
import { TaxSplit, WitnessAwaited } from '../../../../../src/streams/distribution-run.ts';
import {
  batchesSettled,
  delegate,
  files,
  pot,
  runClosed,
  runOpened,
  taxSplit,
  tills,
} from '../../../../support/distribution-examples.ts';
import { ids, signatures } from '../../../../support/domain-examples.ts';
import { historyEntry } from '../../../../support/history-entry.ts';
import {
  BOOK,
  closeLanded,
  courseTo,
  decidedBy,
  isOfToken,
  lastTill,
  NOW,
  nodeShowing,
  only,
  recordedBy,
  stepAt,
  storeInMemory,
  TOKEN,
  tokenAccount,
  viewOf,
} from '../../../../support/run-examples.ts';

const { runId } = runOpened.data;
const identity = { tokenId: ids.tokenId, runId };
const PAID = courseTo(batchesSettled);
const CLOSED = courseTo(closeLanded);
const LAST = { till: lastTill, lamports: 11_000_000n, tokens: 90_000n };

function booksOf(events = CLOSED, changed: Partial<CloseFacts> = {}): CloseFacts {
  const books = closingBooks(viewOf(events), BOOK, LAST);
  return { books, word: undefined, settlement: files.settlement, now: NOW, ...changed };
}

describe('the books', () => {
  test('that agree are closed, and nothing is left to be decided', () => {
    const view = viewOf(CLOSED);
    const decision = decideClose(view, booksOf());
    const events = recordedBy(decision);
    expect(decision.kind).toBe('record-of-token');
    expect(events).toMatchObject([{ type: 'RunClosed', data: { carried: runClosed.data.carried } }]);
    const after = events.filter(isOfToken).reduce(distribution.evolve, view.state);
    expect(after.open).toBeUndefined();
    expect(after.carried).toEqual(runClosed.data.carried);
  });

  test('are closed on the word of a second node that agrees', () => {
    const word = { state: 'agrees', detail: undefined } as const;
    expect(recordedBy(decideClose(viewOf(CLOSED), booksOf(CLOSED, { word })))).toMatchObject([
      { type: 'RunClosed' },
    ]);
  });

  test('that do not agree halt the token, whatever a second node says', () => {
    const more = TaxSplit({ ...taxSplit.data, proceeds: '100000001' });
    const events = courseTo(closeLanded, [more]);
    const word = { state: 'agrees', detail: undefined } as const;
    expect(decideClose(viewOf(events), booksOf(events, { word }))).toEqual({
      kind: 'halt',
      code: 'BOOKS_DISAGREE',
      reason:
        'The books do not agree: proceeds = costs + developer + holders, but 100000001 is not 100000000.',
    });
  });

  test.each([
    ['silent', 'does not answer (no route)'],
    ['disagrees', 'does not show the last till'],
  ] as const)('stay open while the second node is or says: %s; told once', (state, detail) => {
    const facts = booksOf(CLOSED, { word: { state, detail }, settlement: undefined });
    const waiting = {
      for: { code: 'unconfirmed', detail: `The second node ${detail}.` },
      pause: 5_000,
    };
    const awaited = WitnessAwaited({ ...identity, witness: state });
    expect(decideClose(viewOf(CLOSED), facts)).toEqual({
      kind: 'record-of-run',
      events: [awaited],
      waiting,
    });
    expect(decideClose(viewOf([...CLOSED, awaited]), facts)).toEqual({ kind: 'wait', waiting });
  });

  test('tell each word of the second node, not only the first', () => {
    const silent = WitnessAwaited({ ...identity, witness: 'silent' });
    const word = { state: 'disagrees', detail: 'does not show the last till' } as const;
    const facts = booksOf(CLOSED, { word, settlement: undefined });
    expect(recordedBy(decideClose(viewOf([...CLOSED, silent]), facts))).toEqual([
      WitnessAwaited({ ...identity, witness: 'disagrees' }),
    ]);
  });

  test('are never closed without their settlement', () => {
    const facts = booksOf(CLOSED, { settlement: undefined });
    expect(() => decideClose(viewOf(CLOSED), facts)).toThrow('a settlement');
  });
});

describe('a look before closing', () => {
  const shownBooks = (last: Partial<typeof LAST> = {}) => {
    const { lamports, tokens } = { ...LAST, ...last };
    return {
      [lastTill]: tokenAccount({ amount: lamports }),
      [TOKEN.tokens]: tokenAccount({ amount: tokens }),
    };
  };
  const ofPot = (amount: bigint, delegated: bigint) => tokenAccount({ amount, delegate, delegated });
  const book = only<PaymentBook>('the book', BOOK);
  const memory = () => ({ book: { ledger: files.ledger, book }, absences: new Map() });

  function witness(shown: ReturnType<typeof shownBooks>) {
    return nodeShowing(shown, {
      statuses: async (asked) =>
        asked.map(() => ({ slot: 4_150, error: undefined, commitment: 'finalized' })),
    }).chain;
  }

  test('records the links that close the pots that are open, at what their meters show as settled', async () => {
    const { chain, asked } = nodeShowing({ [pot]: ofPot(1_000_000n, 1_000_000n) });
    const decision = await lookAtClosing(stepAt(PAID, { parts: { chain }, memory: memory() }));
    const [recorded] = recordedBy(decision as Decision);
    if (recorded?.type !== 'LinksRecorded') throw new Error('links are recorded');
    const { purpose, links } = recorded.data;
    const actions = [{ kind: 'close', pot, left: '1000000', rent: '2039280' }];
    expect(purpose).toBe('close');
    expect(links).toMatchObject([{ number: 3, previous: tills.third, actions }]);
    for (const link of links)
      expect(isTrueToContent({ ...link, actions: [...link.actions] }, TOKEN)).toBe(true);
    // No older than the last payment.
    expect(asked).toEqual([{ atLeastSlot: 4_150n, elsewhere: false }]);
  });

  test('closes twenty pots in each link, one link after another', () => {
    const actions = Array.from({ length: 21 }, (_, index) => ({
      kind: 'close' as const,
      pot,
      left: String(index),
      rent: '2039280',
    }));
    const links = linksInTurn(TOKEN, tillOf(viewOf(PAID).state), actions, POTS_PER_CLOSE);
    expect(links.map(({ number, previous, actions: own }) => [number, previous, own.length])).toEqual([
      [3, tills.third, 20],
      [4, links[0]?.till, 1],
    ]);
    expect(links.flatMap((link) => link.actions)).toEqual(actions);
  });

  test('takes a pot of somebody else, or none, for one that is not shown', async () => {
    for (const shown of [{}, { [pot]: tokenAccount({ owner: lastTill, amount: 9n }) }]) {
      const at = stepAt(PAID, { parts: { chain: nodeShowing(shown).chain }, memory: memory() });
      expect(await lookAtClosing(at)).toEqual({
        kind: 'wait',
        waiting: {
          for: {
            code: 'chain-unavailable',
            detail: `The chain node does not show the pot ${pot} at slot 4200.`,
          },
          pause: 400,
        },
      });
      expect([...at.memory.absences.keys()]).toEqual([nameOf(pot)]);
    }
  });

  test('halts the token when a pot is gone after many looks, and asks another node meanwhile', async () => {
    const absences = new Map([
      [nameOf(pot), { looks: LOOKS_UNTIL_GONE - 1, slot: 4_199n, since: NOW.getTime() - 60_000 }],
    ]);
    const { chain, asked } = nodeShowing({});
    const at = stepAt(PAID, { parts: { chain }, memory: { ...memory(), absences } });
    expect(await lookAtClosing(at)).toEqual({
      kind: 'halt',
      code: 'POT_MISSING',
      reason: `The pot ${pot} is gone at slot 4200, and no close of it was recorded.`,
    });
    expect(asked).toEqual([{ atLeastSlot: 4_150n, elsewhere: true }]);
  });

  /** Repeats a look at later slots until it is decided. */
  async function lookRepeatedly(
    events: typeof PAID,
    given: (look: number) => Partial<Parameters<typeof stepAt>[1]>,
  ) {
    const at = stepAt(events, { memory: memory() });
    const decisions: string[] = [];
    for (let look = 0; look < LOOKS_UNTIL_GONE; look++) {
      const { parts } = stepAt(events, given(look));
      const decision = decidedBy(decideClose, at.view, await lookAtClosing({ ...at, parts }));
      decisions.push(decision.kind === 'halt' ? `${decision.code}: ${decision.reason}` : decision.kind);
    }
    return decisions;
  }
  const later = (look: number) => ({
    slot: 4_200n + BigInt(look),
    clock: { now: () => new Date(NOW.getTime() + look * 1_000) },
  });

  test('halts, and closes no pot, where a meter contradicts what was settled in answer after answer', async () => {
    const decisions = await lookRepeatedly(PAID, (look) => {
      const { slot, clock } = later(look);
      return {
        parts: { clock, chain: nodeShowing({ [pot]: ofPot(90_000_000n, 90_000_000n) }, { slot }).chain },
      };
    });
    expect(decisions.slice(0, -1)).toEqual(Array(LOOKS_UNTIL_GONE - 1).fill('wait'));
    expect(decisions.at(-1)).toBe(
      `BOOKS_DISAGREE: At slot 4219 the pot ${pot} may still pay 90000000, and 1000000 are left by what was settled: a settled payment is not on the chain.`,
    );
  });

  test('closes nothing for a surplus that is the money of a payment the chain does not show, and halts at last', async () => {
    const decisions = await lookRepeatedly(CLOSED, (look) => {
      const { slot, clock } = later(look);
      const others = [historyEntry(signatures.second, { slot: 4_150 })];
      const shown = shownBooks({ lamports: 100_000_000n });
      return {
        parts: { clock, chain: nodeShowing(shown, { slot, signaturesOf: async () => others }).chain },
      };
    });
    expect(decisions.slice(0, -1)).toEqual(Array(LOOKS_UNTIL_GONE - 1).fill('wait'));
    expect(decisions.at(-1)).toMatch(
      /^BOOKS_DISAGREE: At slot 4219 the till \w+ holds 89000000 more than is kept, owed or undivided, and the history of \w+ does not list the settled payment \w+ of 89000000\.$/,
    );
  });

  test.each([
    ['less than any payment, of which nothing is asked', 88_999_999n, 0],
    ['a planned sum, while the history of the pot lists its payment', 89_000_000n, 1],
    ['more than all payments, while the history of the pot lists them', 500_000_000n, 1],
  ])('closes books to which a stranger has transferred %s', async (_what, surplus, questions) => {
    let asked = 0;
    const { chain } = nodeShowing(shownBooks({ lamports: 11_000_000n + surplus, tokens: 90_001n }), {
      async signaturesOf(address, { commitment }) {
        expect([address, commitment]).toEqual([pot, 'finalized']);
        asked += 1;
        return [historyEntry(signatures.first, { slot: 4_150 })];
      },
    });
    const at = stepAt(CLOSED, { parts: { chain, blobs: storeInMemory().blobs }, memory: memory() });
    expect(recordedBy(decidedBy(decideClose, at.view, await lookAtClosing(at)))).toMatchObject([
      { type: 'RunClosed' },
    ]);
    expect(asked).toBe(questions);
  });

  test('writes the settlement of books that agree', async () => {
    const { blobs, files: written } = storeInMemory();
    const { chain } = nodeShowing(shownBooks());
    const facts = await lookAtClosing(stepAt(CLOSED, { parts: { chain, blobs }, memory: memory() }));
    expect(facts).toMatchObject({
      books: { broken: undefined, last: LAST },
      word: undefined,
      settlement: '1'.repeat(64),
      now: NOW,
    });
    expect(written).toHaveLength(1);
    const [bytes = new Uint8Array()] = written;
    const settlement = await openSettlement(async (from, length) => bytes.subarray(from, from + length));
    expect(settlement.header).toMatchObject({ runId, sol: { paid: 2, refused: 1, sum: '89000000' } });
  });

  test('writes nothing and asks no second node where books do not agree', async () => {
    const { chain } = nodeShowing(shownBooks({ lamports: 10_999_999n }));
    const at = stepAt(CLOSED, { parts: { chain, witness: only<Chain>('the witness') }, memory: memory() });
    expect(await lookAtClosing(at)).toMatchObject({
      books: { broken: 'the till holds 10999999 lamports, and 11000000 are owed or undivided' },
      word: undefined,
      settlement: undefined,
    });
  });

  test('writes nothing where a node does not show the books', async () => {
    const { chain } = nodeShowing({ ...shownBooks(), [lastTill]: undefined });
    expect(await lookAtClosing(stepAt(CLOSED, { parts: { chain }, memory: memory() }))).toEqual({
      kind: 'wait',
      waiting: {
        for: { code: 'chain-unavailable', detail: 'The chain node does not show the last till.' },
        pause: 400,
      },
    });
  });

  test('writes nothing while the second node does not vouch for the books, and passes its word on', async () => {
    const said: unknown[] = [];
    const { chain } = nodeShowing(shownBooks());
    for (const second of [
      witness(shownBooks({ lamports: 10_999_999n })),
      only<Chain>('the witness', {
        accountsAt: async () => {
          throw new ChainUnavailable('no route');
        },
      }),
    ]) {
      const parts = { chain, witness: second, witnessSaid: (word: unknown) => void said.push(word) };
      const facts = await lookAtClosing(stepAt(CLOSED, { parts, memory: memory() }));
      expect(facts).toMatchObject({ word: said.at(-1), settlement: undefined });
    }
    const { blobs, files: written } = storeInMemory();
    const parts = { chain, blobs, witness: witness(shownBooks()), witnessSaid: () => {} };
    const facts = await lookAtClosing(stepAt(CLOSED, { parts, memory: memory() }));
    expect(facts).toMatchObject({ word: { state: 'agrees' }, settlement: '1'.repeat(64) });
    expect(written).toHaveLength(1);
    expect(said).toEqual([
      { state: 'disagrees', detail: 'shows 10999999 lamports in the till instead of 11000000' },
      { state: 'silent', detail: 'does not answer (no route)' },
    ]);
  });
});
