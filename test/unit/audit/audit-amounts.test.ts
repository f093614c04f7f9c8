import { describe, expect, test } from 'vitest';
import { auditAmounts } from '../../../src/audit/audit-amounts.ts';
import {
  auditCarriedOver,
  auditCarriedSums,
  NOTHING_CARRIED,
} from '../../../src/audit/audit-carried-over.ts';
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
  paidDebts: 0n,
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
    ['paidDebts', 'debts were paid by the batches'],
  ])('do not hold where %s is another', (name, rule) => {
    expect(rules({ [name]: amounts[name] + 1n })).toContain(`run 1: ${rule}`);
  });
});

describe('what a run leaves owed', () => {
  const owing = (owner: string, owedBefore: bigint, paidBefore = 0n) => ({
    ...holder(owner, 5n, owedBefore, owedBefore + 5n),
    paidBefore,
  });
  /** Costs and developer as the first run has left them: paid, and owed nothing. */
  const paidBefore = [owing('distributor', 0n, 50n), owing('developer', 0n, 100n)];
  const one = owing('one', 0n, 805n);
  const second = (records: readonly BookedRecord[], asset: RunBooks['asset'] = 'sol'): RunBooks => ({
    ...first,
    runId: '2',
    asset,
    records: [...paidBefore, ...records],
    batches: [],
  });
  const broken = (later: RunBooks) => {
    const findings = createFindings();
    auditCarriedOver(first, later, findings);
    return findings.list.map(({ what, account }) => `${account}: ${what}`);
  };

  test('is what the next one begins with', () => {
    expect(broken(second([one, owing('other', 90n)]))).toEqual([]);
  });

  test('is missed where a debt is left out, changed or made up', () => {
    expect(broken(second([one]))).toEqual(['other: run 2: it begins with what run 1 left owed']);
    expect(broken(second([one, owing('other', 91n)]))).toEqual([
      'other: run 2: it begins with what run 1 left owed',
    ]);
    expect(broken(second([one, owing('other', 90n), owing('third', 1n)]))).toEqual([
      'third: run 2: nobody is owed what no earlier run left',
    ]);
  });

  test('is missed where what was paid is not counted', () => {
    expect(broken(second([owing('one', 0n, 804n), owing('other', 90n)]))).toEqual([
      'one: run 2: it has counted what was paid up to run 1',
    ]);
  });

  test('stays a debt of its asset when the next one pays another', () => {
    const debts = [...paidBefore, one, owing('other', 90n)].map((record) => ({
      ...record,
      kind: 'debt' as const,
      share: 0n,
    }));
    const next = { ...second([], 'token'), records: [holder('other', 7n, 0n, 7n), ...debts] };
    expect(broken(next)).toEqual([]);
    const forgotten = { ...next, records: next.records.filter(({ owedBefore }) => owedBefore === 0n) };
    expect(broken(forgotten)).toEqual(['other: run 2: it begins with what run 1 left owed']);
    const mistaken = { ...next, records: next.records.map((each) => ({ ...each, kind: 'holder' as const })) };
    expect(broken(mistaken)).toContain('other: run 2: nobody is owed what no earlier run left');
  });

  test('is summed by asset, with what is kept and not divided', () => {
    const findings = createFindings();
    const begun = {
      ...NOTHING_CARRIED,
      kept: 10n,
      owed: { sol: 40n, token: 3n },
      dust: { sol: 7n, token: 1n },
    };
    const left = auditCarriedSums(begun, first, findings);
    expect(findings.list).toEqual([]);
    expect(left).toEqual({ kept: 30n, owed: { sol: 90n, token: 3n }, dust: { sol: 2n, token: 1n } });
    auditCarriedSums(NOTHING_CARRIED, first, findings);
    expect(findings.list.map(({ what }) => what)).toEqual([
      'run 1: it keeps what was kept before',
      'run 1: it divides what was not divided before',
      'run 1: it owes what was owed before',
    ]);
  });
});
