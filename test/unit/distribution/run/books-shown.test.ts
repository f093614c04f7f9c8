// What nodes show of the books of a run that is to be closed, and what a second node has to show to vouch for them.
import { describe, expect, test } from 'vitest';
import { GONE_AFTER, LOOKS_UNTIL_GONE } from '../../../../src/distribution/absences.ts';
import { askWitness, lookAtBooks } from '../../../../src/distribution/run/books-shown.ts';
import {
  type ChainAccount,
  ChainAnswerInvalid,
  ChainUnavailable,
  type SignatureStatus,
} from '../../../../src/kernel/ports/chain.ts';
import { signatures } from '../../../support/domain-examples.ts';
import {
  closeLanded,
  courseTo,
  lastTill,
  NOW,
  nodeShowing,
  stepAt,
  TOKEN,
  tokenAccount,
  viewOf,
} from '../../../support/run-examples.ts';

const CLOSED = courseTo(closeLanded);
const LAST = { till: lastTill, lamports: 11_000_000n, tokens: 90_000n };
const TILL = `the till ${lastTill}`;
const ACCOUNT = `the account ${TOKEN.tokens}`;

const shown = (lamports = LAST.lamports) => ({
  [lastTill]: tokenAccount({ amount: lamports }),
  [TOKEN.tokens]: tokenAccount({ amount: LAST.tokens }),
});
const withoutTill = { ...shown(), [lastTill]: undefined };
const withoutTokens = { ...shown(), [TOKEN.tokens]: undefined };

describe('a look at the books', () => {
  const look = (accounts: { readonly [address: string]: ChainAccount | undefined }, absences = new Map()) => {
    const { chain, asked } = nodeShowing(accounts);
    const at = stepAt(CLOSED, { parts: { chain }, memory: { absences } });
    return { found: lookAtBooks(at), asked, absences };
  };
  const almostGone = (name: string) =>
    new Map([[name, { looks: LOOKS_UNTIL_GONE - 1, slot: 4_199n, since: NOW.getTime() - GONE_AFTER }]]);

  test('shows the last till and the account of the wallet, no older than the last link', async () => {
    const { found, asked } = look(shown());
    expect(await found).toEqual({ slot: 4_200n, last: LAST });
    expect(asked).toEqual([{ atLeastSlot: 4_160n, elsewhere: false }]);
  });

  test.each([
    ['the till', withoutTill, 'the last till', TILL],
    ['the account', withoutTokens, "the wallet's account of the token", ACCOUNT],
  ])('that misses %s is repeated, with another node', async (_what, accounts, what, name) => {
    const { found, absences } = look(accounts);
    expect(await found).toMatchObject({
      kind: 'wait',
      waiting: { for: { code: 'chain-unavailable', detail: `The chain node does not show ${what}.` } },
    });
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
    expect(await look(accounts, almostGone(name)).found).toEqual({
      kind: 'halt',
      code,
      reason: `At slot 4200 ${reason}.`,
    });
  });

  test('that shows both again forgets that they were missing', async () => {
    const absences = new Map([...almostGone(TILL), ...almostGone(ACCOUNT)]);
    expect(await look(shown(), absences).found).toMatchObject({ last: LAST });
    expect([...absences]).toEqual([]);
  });

  test('takes no till of another owner for that of the wallet', async () => {
    const stranger = tokenAccount({ owner: lastTill, amount: LAST.lamports });
    expect(await look({ ...shown(), [lastTill]: stranger }).found).toMatchObject({ kind: 'wait' });
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
    const { word, pages, asked } = ask(shown());
    expect(await word).toEqual({ state: 'agrees', detail: undefined });
    // A batch, and the links that begin, split, open and close.
    const { first, second } = signatures;
    expect(pages).toEqual([[first, second, first, first, second]]);
    expect(asked).toEqual([{ atLeastSlot: 4_160n }]);
    // A donation may have come since.
    expect(await ask(shown(LAST.lamports + 1n)).word).toMatchObject({ state: 'agrees' });
  });

  const lessTokens = { ...shown(), [TOKEN.tokens]: tokenAccount({ amount: LAST.tokens - 1n }) };
  test.each([
    ['a lamport less', shown(LAST.lamports - 1n), 'shows 10999999 lamports in the till instead of 11000000'],
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
    const { word } = ask(shown(), (signature) => (signature === signatures.second ? status : final));
    const detail = `does not show the transaction ${signatures.second} as final`;
    expect(await word).toEqual({ state: 'disagrees', detail });
  });

  test.each([
    ['does not answer', new ChainUnavailable('no route')],
    ['gives answers that make no sense', new ChainAnswerInvalid('no route')],
  ])('that %s is silent', async (_why, error) => {
    const { chain } = nodeShowing(shown(), {
      statuses: async () => {
        throw error;
      },
    });
    expect(await askWitness(chain, viewOf(CLOSED), LAST)).toEqual({
      state: 'silent',
      detail: 'does not answer (no route)',
    });
  });

  test('does not hide an error that is our own', async () => {
    const { chain } = nodeShowing(shown());
    await expect(askWitness(chain, viewOf(CLOSED), LAST)).rejects.toThrow('nobody expected');
  });
});
