// The audit of a token from the chain alone: it finds nothing in true books, and every lie in false ones.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditToken } from '../../../src/proof/audit/audit-token.ts';
import { type AuditedChain, HistoryIncomplete } from '../../../src/proof/audit/chain-history.ts';
import type { RunBooks, TokenBooks } from '../../../src/proof/audit/run-books.ts';
import { type HeartRun, withHeart } from '../../support/faulty-chain/heart-run.ts';
import { THE_RULES } from '../../support/faulty-chain/reference-driver.ts';
import { CALM } from '../../support/faulty-chain/weather.ts';

let run: HeartRun;
let end: () => void;
let ended: Promise<unknown>;

beforeAll(async () => {
  await new Promise<void>((ready, failed) => {
    ended = withHeart(3, { rules: THE_RULES, weather: CALM }, (own) => {
      run = own;
      ready();
      return new Promise<void>((resolve) => {
        end = resolve;
      });
    }).catch(failed);
  });
});

afterAll(async () => {
  end();
  await ended;
});

/** The rules that do not hold for books or a chain that were tampered with. */
async function rulesBroken(
  tamper: (books: TokenBooks) => TokenBooks,
  disturb: (chain: AuditedChain) => AuditedChain = (chain) => chain,
): Promise<readonly string[]> {
  const findings = await auditToken(tamper(run.books), disturb(run.chain));
  return [...new Set(findings.map(({ what }) => what))];
}

const inRun =
  (change: (own: RunBooks) => Partial<RunBooks>) =>
  (books: TokenBooks): TokenBooks => ({
    ...books,
    runs: books.runs.map((own, index) => (index === 1 ? { ...own, ...change(own) } : own)),
  });

/** The last batch, changed. */
const inBatch = (change: (batch: RunBooks['batches'][number]) => Partial<RunBooks['batches'][number]>) =>
  inRun(({ batches }) => ({
    batches: batches.map((batch, index) =>
      index === batches.length - 1 ? { ...batch, ...change(batch) } : batch,
    ),
  }));

/** What the log has recorded of an open run, which has no pots yet. */
const recording =
  (...links: TokenBooks['links']): NonNullable<TokenBooks['later']> =>
  async () => ({ links: new Map(links.map((link) => [link.till ?? '', link])), pots: [] });

describe('the audit', () => {
  test('finds nothing in true books', async () => {
    expect(await rulesBroken((books) => books)).toEqual([]);
  });

  test('finds nothing while links land that are recorded, whatever the till holds meanwhile', async () => {
    const isOpen = (books: TokenBooks): TokenBooks => ({
      ...books,
      links: books.links.slice(0, -1),
      inTill: 2n ** 63n,
      later: recording(...books.links),
    });
    expect(await rulesBroken(isOpen)).toEqual([]);
  });

  test('takes whoever paid for the first link for the distributor where no run says who that is', async () => {
    expect(await rulesBroken((books) => ({ ...books, distributor: '', runs: [] }))).toEqual(
      await rulesBroken((books) => ({ ...books, runs: [] })),
    );
  });

  test.each<[string, (books: TokenBooks) => TokenBooks, string]>([
    [
      'a payment that the ledger leaves out',
      inRun(({ batches }) => ({ batches: batches.slice(1) })),
      'run 2: every payment on the chain is in the ledger',
    ],
    [
      'a payment that was never made',
      inBatch(() => ({ signature: '1'.repeat(64) })),
      'run 2: every payment of the ledger is on the chain',
    ],
    [
      'another recipient',
      inRun(({ records }) => ({
        records: records.map((record, index) =>
          index === 0 ? { ...record, owner: '1'.repeat(32) } : record,
        ),
      })),
      "run 2: a payment is the ledger's",
    ],
    [
      'another amount',
      inBatch(({ payments }) => ({
        payments: payments.map((payment) => ({ ...payment, amount: payment.amount + 1n })),
      })),
      "run 2: a payment is the ledger's",
    ],
    [
      'an amount that was not planned',
      inBatch(({ payments }) => ({
        payments: payments.map((payment) => ({ ...payment, amount: payment.amount + 1n })),
      })),
      'run 2: a payment is what was planned',
    ],
    [
      'a recipient too few',
      inBatch(({ payments }) => ({ payments: payments.slice(1) })),
      'run 2: a batch pays as many as the ledger says',
    ],
    [
      'somebody whom two batches pay',
      inRun(({ batches }) => ({
        batches: batches.map((batch) => ({ ...batch, payments: batches[0]?.payments ?? [] })),
      })),
      'run 2: each is paid by one batch at most in one capacity',
    ],
    [
      'a batch of no pot of the run',
      inBatch(() => ({ pot: '1'.repeat(32) })),
      'run 2: every batch is paid by a pot of the run',
    ],
    [
      'another allowance',
      inRun(({ pots }) => ({ pots: pots.map((pot) => ({ ...pot, allowance: pot.allowance - 1n })) })),
      'run 2: a pot may pay what the ledger says',
    ],
    [
      'a meter that shows another sum',
      inRun(({ pots }) => ({ pots: pots.map((pot) => ({ ...pot, allowance: pot.allowance + 1n })) })),
      'run 2: what is paid is the allowance less the meter at the close',
    ],
    [
      'a pot that the books do not know',
      inRun(() => ({ pots: [], batches: [] })),
      'what leaves a till goes into a pot of the books',
    ],
    [
      'one delegate in two runs',
      (books) => ({ ...books, runs: books.runs.flatMap((own) => [own, own]) }),
      'run 1: a delegate is approved once for one account',
    ],
    [
      'a link that the books leave out',
      (books) => ({ ...books, links: books.links.slice(0, -1) }),
      'the chain has as many links as the books',
    ],
    [
      'a link that the log has recorded for no run',
      (books) => ({ ...books, links: books.links.slice(0, -1), later: recording() }),
      'the wallet signs only links that are recorded',
    ],
    [
      'a pot that is opened for no run',
      (books) => ({
        ...books,
        runs: [],
        links: [],
        later: recording(...books.links),
      }),
      'what leaves a till goes into a pot of the books',
    ],
    [
      'another burn than the one that was recorded',
      (books) => ({
        ...books,
        links: books.links.slice(0, -1),
        later: recording(...books.links.map((link) => ({ ...link, burned: link.burned + 1n }))),
      }),
      'a link burns what the books say',
    ],
    [
      'another till',
      (books) => ({ ...books, links: books.links.map((link) => ({ ...link, till: '1'.repeat(32) })) }),
      'each till is the one that the books name',
    ],
    [
      'another burn',
      (books) => ({ ...books, links: books.links.map((link) => ({ ...link, burned: link.burned + 1n })) }),
      'a link burns what the books say',
    ],
    [
      'a till that holds less than is owed',
      (books) => ({ ...books, inTill: 2n ** 63n }),
      'the till holds what is owed and what could not be divided',
    ],
  ])('finds %s', async (_what, tamper, rule) => {
    expect(await rulesBroken(tamper)).toContain(rule);
  });

  test('proves nothing where the node does not have what it lists', async () => {
    const forgetful = (chain: AuditedChain): AuditedChain => ({
      accounts: (...asked) => chain.accounts(...asked),
      accountsAt: (...asked) => chain.accountsAt(...asked),
      signaturesOf: (...asked) => chain.signaturesOf(...asked),
      transaction: async () => undefined,
    });
    await expect(rulesBroken((books) => books, forgetful)).rejects.toThrow(HistoryIncomplete);
  });
});
