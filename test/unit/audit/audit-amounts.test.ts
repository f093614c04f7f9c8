import { describe, expect, test } from 'vitest';
import { auditAmounts, auditCarriedOver } from '../../../src/audit/audit-amounts.ts';
import { createFindings } from '../../../src/audit/finding.ts';
import type { BookedAmounts, BookedRecord, RunBooks } from '../../../src/audit/run-books.ts';

const holder = (owner: string, share: bigint, owedBefore: bigint, planned: bigint): BookedRecord => ({
  kind: 'holder',
  owner,
  share,
  owedBefore,
  planned,
  paidBefore: 0n,
});

const amounts: BookedAmounts = {
  kept: 10n,
  collected: 100n,
  burned: 20n,
  sold: 60n,
  keptAfter: 30n,
  proceeds: 1_000n,
  costs: 50n,
  developer: 100n,
  holders: 850n,
  dust: 7n,
  dustAfter: 2n,
  shares: 855n,
  owed: 40n,
  owedAfter: 90n,
  planned: 955n,
  paid: 955n,
};

/** Costs and developer are paid, the first holder too; the second is owed its share and what it was owed before. */
const first: RunBooks = {
  runId: '1',
  asset: 'sol',
  amounts,
  records: [
    { ...holder('distributor', 50n, 0n, 50n), kind: 'costs' },
    { ...holder('developer', 100n, 0n, 100n), kind: 'developer' },
    holder('one', 805n, 0n, 805n),
    holder('other', 50n, 40n, 0n),
  ],
  pots: [],
  batches: [
    {
      pot: 'pot',
      signature: 'signature',
      payments: [
        { record: 0, amount: 50n },
        { record: 1, amount: 100n },
        { record: 2, amount: 805n },
      ],
    },
  ],
};

const rules = (change: Partial<BookedAmounts>) => {
  const findings = createFindings();
  auditAmounts({ ...first, amounts: { ...amounts, ...change } }, findings);
  return findings.list.map(({ what }) => what);
};

describe("a run's equations", () => {
  test('hold for true books', () => expect(rules({})).toEqual([]));

  test('are not asked of a run that is open', () => {
    const findings = createFindings();
    auditAmounts({ ...first, amounts: undefined }, findings);
    expect(findings.list).toEqual([]);
  });

  test.each<[keyof BookedAmounts, string]>([
    ['collected', 'what was collected and kept is burned, sold or kept'],
    ['kept', 'what was collected and kept is burned, sold or kept'],
    ['burned', 'what was collected and kept is burned, sold or kept'],
    ['sold', 'what was collected and kept is burned, sold or kept'],
    ['keptAfter', 'what was collected and kept is burned, sold or kept'],
    ['proceeds', 'the proceeds are for costs, developer and holders'],
    ['costs', 'the proceeds are for costs, developer and holders'],
    ['developer', 'the proceeds are for costs, developer and holders'],
    ['holders', "the holders' part and earlier dust are shares and dust"],
    ['dust', "the holders' part and earlier dust are shares and dust"],
    ['dustAfter', "the holders' part and earlier dust are shares and dust"],
    ['shares', 'the shares are those of the ledger'],
    ['owed', 'what was owed is what the ledger says'],
    ['owedAfter', 'what is owed is what was owed and earned, less what was paid'],
    ['paid', 'what was paid is what the batches paid'],
  ])('do not hold where %s is another', (name, rule) => {
    expect(rules({ [name]: amounts[name] + 1n })).toContain(`run 1: ${rule}`);
  });
});

describe('what a run leaves owed', () => {
  const second = (records: readonly BookedRecord[]): RunBooks => ({
    ...first,
    runId: '2',
    records,
    batches: [],
  });
  const broken = (records: readonly BookedRecord[]) => {
    const findings = createFindings();
    auditCarriedOver(first, second(records), findings);
    return findings.list.map(({ what, account }) => `${account}: ${what}`);
  };

  test('is what the next one begins with', () => {
    expect(broken([holder('one', 5n, 0n, 5n), holder('other', 5n, 90n, 95n)])).toEqual([]);
  });

  test('is missed where a debt is left out, changed or made up', () => {
    expect(broken([holder('one', 5n, 0n, 5n)])).toEqual([
      'other: run 2: it begins with what run 1 left owed',
    ]);
    expect(broken([holder('other', 5n, 91n, 96n)])).toEqual([
      'other: run 2: it begins with what run 1 left owed',
    ]);
    expect(broken([holder('other', 5n, 90n, 95n), holder('third', 0n, 1n, 1n)])).toEqual([
      'third: run 2: nobody is owed what no earlier run left',
    ]);
  });
});
