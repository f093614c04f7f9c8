// Closing a run: its pots, then its books, and what keeps either open.
import { describe, expect, test } from 'vitest';
import { type Decision, isDecision } from '../../../../../src/distribution/decision.ts';
import { nameOf } from '../../../../../src/distribution/paying/meters.ts';
import type { PaymentBook } from '../../../../../src/distribution/paying/payment-book.ts';
import { consecutiveLinks, POTS_PER_CLOSE } from '../../../../../src/distribution/pots.ts';
import { closingBooks } from '../../../../../src/distribution/run/closing-books.ts';
import { readOpenPots } from '../../../../../src/distribution/run/closing-pots.ts';
import { askWitness, readBooksBeforeClose } from '../../../../../src/distribution/run/read-books.ts';
import { checkBooks, decideClose } from '../../../../../src/distribution/run/steps/close.ts';
import { tillOf } from '../../../../../src/distribution/view.ts';
import {
  type Chain,
  type ChainAccount,
  ChainUnavailable,
  type SignatureStatus,
} from '../../../../../src/kernel/ports/chain.ts';
import { distribution } from '../../../../../src/streams/distribution.ts';
import {
  BatchesSettled,
  RunAllotted,
  TaxSplit,
  WitnessAwaited,
} from '../../../../../src/streams/distribution-run.ts';
import {
  batchesSettled,
  delegate,
  files,
  pot,
  runAllotted,
  runClosed,
  runId,
  taxSplit,
  tills,
} from '../../../../support/distribution-examples.ts';
import { ids, signatures } from '../../../../support/domain-examples.ts';
import { historyEntry } from '../../../../support/history-entry.ts';
import {
  BOOK,
  closeLanded,
  courseTo,
  halting,
  isOfToken,
  lastTill,
  NOW,
  nodeShowing,
  only,
  openLanded,
  recordedBy,
  recordedLinks,
  stepAt,
  storeInMemory,
  TOKEN,
  tokenAccount,
  viewOf,
  waiting,
} from '../../../../support/run-examples.ts';

type CloseFacts = Parameters<typeof decideClose>[1];

const identity = { tokenId: ids.tokenId, runId };
const PAID = courseTo(batchesSettled);
const CLOSED = courseTo(closeLanded);
const LAST = { till: lastTill, lamports: 11_000_000n, tokens: 90_000n };

function booksOf(events = CLOSED, changed: Partial<CloseFacts> = {}): CloseFacts {
  const books = closingBooks(viewOf(events), BOOK, LAST);
  return { books, witness: undefined, settlement: files.settlement, now: NOW, ...changed };
}

const shownBooks = (last: Partial<typeof LAST> = {}) => {
  const { lamports, tokens } = { ...LAST, ...last };
  return {
    [lastTill]: tokenAccount({ amount: lamports }),
    [TOKEN.tokens]: tokenAccount({ amount: tokens }),
  };
};
const TILL = `the till ${lastTill}`;
const ACCOUNT = `the account ${TOKEN.tokens}`;
const withoutTill = { ...shownBooks(), [lastTill]: undefined };
const withoutTokens = { ...shownBooks(), [TOKEN.tokens]: undefined };
const almostGone = (name: string) =>
  new Map([[name, { reads: 19, slot: 4_199n, since: NOW.getTime() - 10_000 }]]);

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
    const witness = { state: 'agrees', detail: undefined } as const;
    expect(decideClose(view, booksOf(CLOSED, { witness }))).toEqual(decision);
  });

  test('that do not agree halt the token, whatever a second node says', () => {
    const more = TaxSplit({ ...taxSplit.data, proceeds: '100000001' });
    const events = courseTo(closeLanded, [more]);
    const witness = { state: 'agrees', detail: undefined } as const;
    expect(decideClose(viewOf(events), booksOf(events, { witness }))).toEqual(
      halting(
        'BOOKS_DISAGREE',
        'The books do not agree: proceeds = costs + developer + holders, but 100000001 is not 100000000.',
      ),
    );
  });

  test.each([
    ['silent', 'disagrees', 'does not respond (no route)'],
    ['disagrees', 'silent', 'does not show the last till'],
  ] as const)('stay open while the second node is or says: %s; told once, also after another word', (state, other, detail) => {
    const facts = booksOf(CLOSED, { witness: { state, detail }, settlement: undefined });
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
    const another = WitnessAwaited({ ...identity, witness: other });
    expect(recordedBy(decideClose(viewOf([...CLOSED, another]), facts))).toEqual([awaited]);
  });

  test('are never closed without their settlement', () => {
    const facts = booksOf(CLOSED, { settlement: undefined });
    expect(() => decideClose(viewOf(CLOSED), facts)).toThrow('the settlement is missing');
  });
});

describe('a look before closing', () => {
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
    const decision = await checkBooks(stepAt(PAID, { parts: { chain }, memory: memory() }));
    const { links, rest } = recordedLinks(decision as Decision);
    const actions = [{ kind: 'close', pot, left: '1000000', rent: '2039280' }];
    expect(rest.purpose).toBe('close');
    expect(links).toMatchObject([{ number: 3, previous: tills.third, actions }]);
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
    const links = consecutiveLinks(TOKEN, tillOf(viewOf(PAID).state), actions, POTS_PER_CLOSE);
    expect(links.map(({ number, previous, actions: own }) => [number, previous, own.length])).toEqual([
      [3, tills.third, 20],
      [4, links[0]?.till, 1],
    ]);
    expect(links.flatMap((link) => link.actions)).toEqual(actions);
  });

  test('takes a pot of somebody else, or none, for one that is not shown', async () => {
    for (const shown of [{}, { [pot]: tokenAccount({ owner: lastTill, amount: 9n }) }]) {
      const at = stepAt(PAID, { parts: { chain: nodeShowing(shown).chain }, memory: memory() });
      expect(await checkBooks(at)).toEqual(
        waiting('chain-unavailable', `The chain node does not show the pot ${pot} at slot 4200.`, 400),
      );
      expect([...at.memory.absences.keys()]).toEqual([nameOf(pot)]);
    }
  });

  async function closing(at: Parameters<typeof checkBooks>[0]): Promise<Decision> {
    const found = await checkBooks(at);
    return isDecision(found) ? found : decideClose(at.view, found);
  }

  /** Repeats a look at later slots until it is decided. */
  async function lookRepeatedly(
    events: typeof PAID,
    given: (look: number) => Partial<Parameters<typeof stepAt>[1]>,
  ) {
    const at = stepAt(events, { memory: memory() });
    const decisions: string[] = [];
    for (let look = 0; look < 20; look++) {
      const { parts } = stepAt(events, given(look));
      const decision = await closing({ ...at, parts });
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
    expect(decisions.slice(0, -1)).toEqual(Array(19).fill('wait'));
    expect(decisions.at(-1)).toBe(
      `BOOKS_DISAGREE: At slot 4219 the pot ${pot} may still pay 90000000, but only 1000000 after its settled payments: a settled payment is not on the chain.`,
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
    expect(decisions.slice(0, -1)).toEqual(Array(19).fill('wait'));
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
    expect(recordedBy(await closing(at))).toMatchObject([{ type: 'RunClosed' }]);
    expect(asked).toBe(questions);
  });

  test('writes nothing where a node does not show the books', async () => {
    const { chain } = nodeShowing(withoutTill);
    expect(await checkBooks(stepAt(CLOSED, { parts: { chain }, memory: memory() }))).toMatchObject({
      kind: 'wait',
      waiting: { for: { detail: 'The chain node does not show the last till.' }, pause: 400 },
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
      const parts = { chain, witness: second, onWitnessVerdict: (word: unknown) => void said.push(word) };
      const facts = await checkBooks(stepAt(CLOSED, { parts, memory: memory() }));
      expect(facts).toMatchObject({ witness: said.at(-1), settlement: undefined });
    }
    const { blobs, files: written } = storeInMemory();
    const parts = { chain, blobs, witness: witness(shownBooks()), onWitnessVerdict: () => {} };
    const facts = await checkBooks(stepAt(CLOSED, { parts, memory: memory() }));
    expect(facts).toMatchObject({ witness: { state: 'agrees' }, settlement: '1'.repeat(64) });
    expect(written).toHaveLength(1);
    expect(said).toEqual([
      { state: 'disagrees', detail: 'shows 10999999 lamports in the till instead of 11000000' },
      { state: 'silent', detail: 'does not respond (no route)' },
    ]);
  });
});

describe('a look at the books', () => {
  const look = (accounts: { readonly [address: string]: ChainAccount | undefined }, absences = new Map()) => {
    const { chain, asked } = nodeShowing(accounts);
    const at = stepAt(CLOSED, { parts: { chain }, memory: { absences } });
    return { found: readBooksBeforeClose(at), asked, absences };
  };

  test('shows the last till and the account of the wallet, no older than the last link', async () => {
    const { found, asked } = look(shownBooks());
    expect(await found).toEqual({ slot: 4_200n, last: LAST });
    expect(asked).toEqual([{ atLeastSlot: 4_160n, elsewhere: false }]);
  });

  test.each([
    ['the till', withoutTill, 'the last till', TILL],
    ['the account', withoutTokens, "the wallet's account of the token", ACCOUNT],
  ])('that misses %s is repeated, with another node', async (_what, accounts, what, name) => {
    const { found, absences } = look(accounts);
    expect(await found).toMatchObject(waiting('chain-unavailable', `The chain node does not show ${what}.`));
    expect([...absences.keys()]).toEqual([name]);
    expect(look(accounts, absences).asked).toEqual([{ atLeastSlot: 4_160n, elsewhere: true }]);
  });

  test.each([
    [
      'the till',
      withoutTill,
      TILL,
      'CHAIN_AHEAD_OF_LOG',
      `the till ${lastTill} is gone, and no link after it was recorded`,
    ],
    ['the account', withoutTokens, ACCOUNT, 'BOOKS_DISAGREE', `the wallet's account ${TOKEN.tokens} is gone`],
  ])('that misses %s many times finds it gone', async (_what, accounts, name, code, reason) => {
    expect(await look(accounts, almostGone(name)).found).toEqual(halting(code, `At slot 4200 ${reason}.`));
  });

  test('that shows both again forgets that they were missing', async () => {
    const absences = new Map([...almostGone(TILL), ...almostGone(ACCOUNT)]);
    expect(await look(shownBooks(), absences).found).toMatchObject({ last: LAST });
    expect([...absences]).toEqual([]);
  });

  test('takes no till of another owner for that of the wallet', async () => {
    const stranger = tokenAccount({ owner: lastTill, amount: LAST.lamports });
    expect(await look({ ...shownBooks(), [lastTill]: stranger }).found).toMatchObject({ kind: 'wait' });
  });
});

describe('a second node', () => {
  const final: SignatureStatus = { slot: 4_150, error: undefined, commitment: 'finalized' };

  function ask(
    accounts: { readonly [address: string]: ChainAccount | undefined },
    statusOf: (signature: string) => SignatureStatus | undefined = () => final,
  ) {
    const pages: (readonly string[])[] = [];
    const { chain, asked } = nodeShowing(accounts, {
      async statuses(page) {
        pages.push(page);
        return page.map(statusOf);
      },
    });
    return { word: askWitness(chain, viewOf(CLOSED), LAST), pages, asked };
  }

  test('agrees where it shows the till and every transaction of the run as final', async () => {
    const { word, pages, asked } = ask(shownBooks());
    expect(await word).toEqual({ state: 'agrees', detail: undefined });
    // A batch, and the links that begin, split, open and close.
    const { first, second } = signatures;
    expect(pages).toEqual([[first, second, first, first, second]]);
    expect(asked).toEqual([{ atLeastSlot: 4_160n }]);
    // A donation may have come since.
    expect(await ask(shownBooks({ lamports: LAST.lamports + 1n })).word).toMatchObject({ state: 'agrees' });
  });

  const lessTokens = shownBooks({ tokens: LAST.tokens - 1n });
  test.each([
    [
      'a lamport less',
      shownBooks({ lamports: LAST.lamports - 1n }),
      'shows 10999999 lamports in the till instead of 11000000',
    ],
    ['a base unit less', lessTokens, "shows 89999 base units in the wallet's account instead of 90000"],
    ['no till', withoutTill, 'does not show the last till'],
    ['no account of the wallet', withoutTokens, 'does not show the last till'],
  ])('disagrees where it shows %s', async (_what, accounts, detail) => {
    expect(await ask(accounts).word).toEqual({ state: 'disagrees', detail });
  });

  test.each([
    ['does not know', undefined],
    ['shows as confirmed only', { ...final, commitment: 'confirmed' }],
    ['shows as failed', { ...final, error: '"AccountInUse"' }],
  ] as const)('disagrees for one transaction that it %s', async (_why, status) => {
    const { word } = ask(shownBooks(), (signature) => (signature === signatures.second ? status : final));
    const detail = `does not show the transaction ${signatures.second} as final`;
    expect(await word).toEqual({ state: 'disagrees', detail });
  });
});

describe('the pots that are left', () => {
  const both = RunAllotted({
    ...runAllotted.data,
    pots: [
      ...runAllotted.data.pots,
      { asset: 'token', address: TOKEN.tokens, delegate, seed: '', from: 0, to: 1, allowance: '500' },
    ],
  });
  const OPENED = courseTo(openLanded, [both]);
  /** Pots on the chain: the remaining allowance of their meters, and donations by strangers. */
  const showing = (sol: bigint, token: bigint, added = 0n) => ({
    [pot]: tokenAccount({ amount: sol + added, delegate, delegated: sol }),
    [TOKEN.tokens]: tokenAccount({ amount: 9n + added, delegate, delegated: token }),
  });
  const shown = showing(90_000_000n, 500n);
  const close = (left: string) => ({ kind: 'close' as const, pot, left, rent: '2039280' });
  const revoke = (left: string) => ({ kind: 'revoke' as const, delegate, left });

  /** Remaining amount of each pot after a batch. */
  const settledTo = (...left: readonly [sol: string, token: string]) =>
    BatchesSettled({
      ...batchesSettled.data,
      batches: left.map((value, index) => ({
        pot: index,
        value: both.data.pots[index]?.allowance ?? '0',
        from: 0,
        to: 1,
        without: [],
        signature: signatures.first,
        slot: '4150',
        left: value,
        fee: '5000',
      })),
    });
  /** So many pots in SOL, in the order of their addresses. */
  const manyPots = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ ...runAllotted.data.pots[0], address: `pot-${index}` }));

  const look = (events: Parameters<typeof stepAt>[0], accounts: ReturnType<typeof showing> = shown) =>
    readOpenPots(stepAt(events, { parts: { chain: nodeShowing(accounts).chain } }));

  test('are closed, or the key of the run loses what it may spend, at what the meters show as settled', async () => {
    expect(await look(OPENED)).toEqual({ actions: [close('90000000'), revoke('500')] });
    expect(await look([...OPENED, settledTo('3', '4')], showing(3n, 4n))).toEqual({
      actions: [close('3'), revoke('4')],
    });
  });

  test('are closed for their rent where nothing is left; a key that may spend nothing is gone already', async () => {
    expect(await look([...OPENED, settledTo('0', '0')], showing(0n, 0n))).toEqual({
      actions: [close('0')],
    });
  });

  test('are not closed while a meter may pay more than was settled, whatever strangers have added', async () => {
    const settled = [...OPENED, settledTo('3', '0')];
    expect(await look(settled, showing(3n, 0n, 77n))).toHaveProperty('actions');
    const unpaid = { slot: 4_200n };
    expect(await look(settled, showing(4n, 0n))).toEqual({ ...unpaid, pot, meter: 4n, value: '3' });
    expect(await look(settled, showing(3n, 1n))).toEqual({
      ...unpaid,
      pot: TOKEN.tokens,
      meter: 1n,
      value: '0',
    });
  });

  test('are read a hundred at a time, each once; elsewhere as well where one of them was not shown before', async () => {
    const pots = manyPots(200) as typeof runAllotted.data.pots;
    const addresses = pots.map(({ address }) => address);
    const { chain, asked } = nodeShowing(
      Object.fromEntries(addresses.map((address) => [address, tokenAccount({ amount: 7n })])),
    );
    const absences = new Map([['the pot pot-3', { reads: 1, slot: 4_100n, since: 0 }]]);
    const at = stepAt(courseTo(openLanded, [RunAllotted({ ...runAllotted.data, pots })]), {
      parts: { chain },
      memory: { absences },
    });
    const left = await readOpenPots(at);
    if (!('actions' in left)) throw new Error('all pots are shown');
    expect(left.actions.map((action) => action.kind === 'close' && action.pot)).toEqual(addresses);
    expect(asked.map((options) => options?.elsewhere)).toEqual([true, false]);
    expect([...absences]).toEqual([]);
  });
});
