// A walk over the pages of a node ends, whatever keys the node gives.
import { describe, expect, test } from 'vitest';
import {
  afterPage,
  beginScan,
  NO_PAGES,
  scanOn,
} from '../../../../src/distribution/collecting/scan-holders.ts';
import { type Chain, ChainAnswerInvalid, type TokenAccountPage } from '../../../../src/kernel/ports/chain.ts';
import { TOKEN, taxedMint } from '../../../support/run-examples.ts';

const NOTHING: TokenAccountPage['accounts'] = [];
const listing = (count: number) =>
  Array.from({ length: count }, () => NOTHING[0]) as unknown as typeof NOTHING;

/** Pages until the walk is refused; `keyOf` gives the key of the page behind each. */
function walk(keyOf: (page: number) => string, { each = 0, growing = true, most = 100_000 } = {}) {
  let state = NO_PAGES;
  let accounts = 0;
  for (let page = 1; page <= most; page++) {
    accounts += growing ? each : 0;
    try {
      state = afterPage(state, { accounts: listing(each), next: keyOf(page) }, accounts);
    } catch (error) {
      return { page, error };
    }
  }
  return { page: most, error: undefined };
}

describe('pages', () => {
  test.each([1, 2, 3, 10, 63, 64, 65, 500])('whose keys lead in a circle of %d end', (length) => {
    for (const before of [0, 1, 5, 40]) {
      const { page, error } = walk((at) => `${at <= before ? `before ${at}` : (at - before) % length}`, {
        each: 5,
      });
      expect(error).toBeInstanceOf(ChainAnswerInvalid);
      expect(page).toBeLessThan(4 * (length + before) + 4);
    }
  });

  test('that are empty for ever end, and those that list the same accounts for ever', () => {
    const [empty, same] = [walk(String), walk(String, { each: 100, growing: false })];
    expect([empty.page, same.page]).toEqual([1_001, 101]);
    expect(String(empty.error)).toContain('1001 pages in a row were empty');
    expect(String(same.error)).toContain('10100 accounts were listed, of which 0 are different');
  });

  test('go on as long as they bring new accounts, and a few empty ones between them', () => {
    expect(walk(String, { each: 5, most: 20_000 }).error).toBeUndefined();
    const { error } = walk(String, { most: 1_000 });
    expect(error).toBeUndefined();
  });
});

test('a scan whose pages lead in a circle ends with the error', async () => {
  let calls = 0;
  const chain: Pick<Chain, 'tokenAccounts' | 'accountsAt'> = {
    async tokenAccounts() {
      calls += 1;
      return { slot: 7n, accounts: [], next: String(calls % 3) };
    },
    accountsAt: async () => ({ slot: 7n, accounts: [taxedMint({ supply: 1n, withheld: 0n })] }),
  };
  let scan = beginScan(TOKEN.mint);
  const scanned = (async () => {
    for (let page = 0; page < 100; page++) scan = (await scanOn(chain, TOKEN.mint, scan)) ?? scan;
  })();
  await expect(scanned).rejects.toThrow('the list of token accounts does not end');
  expect(calls).toBeLessThan(12);
});
