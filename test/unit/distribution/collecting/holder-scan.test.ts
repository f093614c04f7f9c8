// When pages show everything as of one slot, and between which readings of the mint.
import { addressOf } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import {
  continueScan,
  type HolderScan,
  isOfOneSlot,
  newScan,
} from '../../../../src/distribution/collecting/holder-scan.ts';
import { type Chain, ChainUnavailable, type TokenAccountPage } from '../../../../src/kernel/ports/chain.ts';
import { taxedMint } from '../../../support/run-examples.ts';
import { listedAccount } from '../../../support/scanned.ts';

const MINT = addressOf(new Uint8Array(32).fill(9));
const at = (index: number) => addressOf(new Uint8Array(32).fill(index));

const holding = (index: number, amount: bigint) =>
  listedAccount(MINT, at(index), { owner: at(index), amount });

interface Page {
  readonly slot: bigint;
  readonly holders?: readonly [index: number, amount: bigint][];
  readonly next?: string;
}

/** A node that gives these pages and shows the mint at these slots, one after another. */
function nodeWith(pages: readonly Page[], mintSlots: readonly bigint[]) {
  const asked: string[] = [];
  const atLeast: (bigint | undefined)[] = [];
  const [pagesLeft, slotsLeft] = [[...pages], [...mintSlots]];
  const chain: Pick<Chain, 'tokenAccounts' | 'accountsAt'> = {
    async tokenAccounts(_mint, options = {}) {
      const { after, changedSinceSlot, inOneAnswer, atLeastSlot } = options;
      atLeast.push(atLeastSlot);
      asked.push(
        [
          inOneAnswer === true ? 'one answer' : 'page',
          ...(after === undefined ? [] : [after]),
          ...(changedSinceSlot === undefined ? [] : [`since ${changedSinceSlot}`]),
        ].join(' '),
      );
      const page = pagesLeft.shift();
      if (page === undefined) throw new Error('no page is left');
      const accounts = (page.holders ?? []).map(([index, amount]) => holding(index, amount));
      return { slot: page.slot, accounts, next: page.next };
    },
    async accountsAt() {
      const slot = slotsLeft.shift();
      if (slot === undefined) throw new Error('no slot is left');
      asked.push(`mint ${slot}`);
      return { slot, accounts: [taxedMint({ supply: 100n, withheld: 0n })] };
    },
  };
  return { chain, asked, atLeast };
}

async function scanned(pages: readonly Page[], mintSlots: readonly bigint[], inOneAnswer = false) {
  const { chain, asked, atLeast } = nodeWith(pages, mintSlots);
  let scan: HolderScan = newScan(MINT, { inOneAnswer });
  while (scan.mintAfter === undefined) {
    const next = await continueScan(chain, MINT, scan);
    if (next === undefined) return undefined;
    scan = next;
  }
  const { slots, collector, mintBefore, mintAfter } = scan;
  return {
    slots,
    asked,
    atLeast,
    balances: collector.balances(),
    isOfOneSlot: isOfOneSlot(scan),
    mint: [mintBefore?.slot, mintAfter?.slot],
  };
}

describe('a scan', () => {
  test('of one page is of one slot, between two readings of the mint', async () => {
    const found = await scanned([{ slot: 5n, holders: [[1, 7n]] }], [4n, 6n]);
    expect(found).toMatchObject({ slots: [5n, 5n], isOfOneSlot: true, mint: [4n, 6n] });
    expect(found?.asked).toEqual(['mint 4', 'page', 'mint 6']);
  });

  test('of pages of several slots reads what changed since the first, and the mint right before that', async () => {
    const found = await scanned(
      [
        { slot: 5n, holders: [[1, 7n]], next: 'a' },
        { slot: 6n, holders: [[2, 3n]] },
        { slot: 8n, holders: [[1, 4n]] },
      ],
      [4n, 7n, 9n],
    );
    expect(found).toMatchObject({ slots: [8n, 8n], balances: 7n, mint: [7n, 9n] });
    expect(found?.asked).toEqual(['mint 4', 'page', 'page a', 'mint 7', 'page since 5', 'mint 9']);
  });

  test.each([
    ['later', [5n, 7n, 6n], [5n, 7n]],
    ['earlier', [7n, 6n, 5n], [5n, 7n]],
    ['equal', [6n, 6n, 6n], [6n, 6n]],
  ] as const)('says which slots it shows where its pages are of %s ones, and a pass begins anew', async (_what, [
    one,
    two,
    three,
  ], slots) => {
    const pages = [{ slot: one, next: 'a' }, { slot: two, next: 'b' }, { slot: three }];
    const found = await scanned(pages, [4n, 9n], true);
    expect(found).toMatchObject({ slots, isOfOneSlot: true });
    expect(found?.asked.some((what) => what.includes('since'))).toBe(false);
    if (slots[0] === slots[1]) return;
    const inPages = await scanned([...pages, { slot: 10n }], [4n, 9n, 11n]);
    expect(inPages).toMatchObject({ slots: [10n, 10n] });
    expect(inPages?.asked).toContain(`page since ${slots[0]}`);
  });

  test('does not end with changes that are older than a page that it has', async () => {
    const found = await scanned(
      [
        { slot: 5n, next: 'a' },
        { slot: 9n, holders: [[1, 4n]] },
        { slot: 7n, holders: [[1, 7n]] },
        { slot: 10n, holders: [[1, 4n]] },
      ],
      [4n, 6n, 8n, 11n],
    );
    expect(found).toMatchObject({ slots: [10n, 10n], balances: 4n });
    expect(found?.asked).toContain('page since 7');
  });

  test.each([
    ['accounts older than the mint before them', [{ slot: 5n }], [6n]],
    ['a mint older than the accounts before it', [{ slot: 5n }], [4n, 4n]],
  ])('does not believe %s', async (_name, pages, mintSlots) => {
    await expect(scanned(pages, mintSlots)).rejects.toThrow(ChainUnavailable);
  });
});

/** Pages for ever: the key behind each, and the accounts on each. */
test.each<[string, (page: number) => string, TokenAccountPage['accounts'], number, string]>([
  ['lead in a circle', (page) => String(page % 3), [], 12, 'the list of token accounts does not end'],
  ['are empty', String, [], 1_001, '1001 pages in a row were empty'],
  [
    'list the same account',
    String,
    Array(1_000).fill(holding(1, 1n)),
    11,
    'accounts were listed, of which 1 are distinct',
  ],
])('a scan whose pages %s for ever ends with an error', async (_what, keyOf, accounts, most, message) => {
  let pages = 0;
  const chain: Pick<Chain, 'tokenAccounts' | 'accountsAt'> = {
    async tokenAccounts() {
      pages += 1;
      return { slot: 7n, accounts, next: keyOf(pages) };
    },
    accountsAt: async () => ({ slot: 7n, accounts: [taxedMint({ supply: 1n, withheld: 0n })] }),
  };
  let scan = newScan(MINT);
  const scanned = (async () => {
    while (pages < 20_000) scan = (await continueScan(chain, MINT, scan)) ?? scan;
  })();
  await expect(scanned).rejects.toThrow(message);
  expect(pages).toBeLessThanOrEqual(most);
});
