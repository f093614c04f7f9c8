import { addressBytes } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { auditAmounts } from '../../../../src/proof/audit/audit-amounts.ts';
import {
  auditCarriedOver,
  auditCarriedSums,
  auditFirstRun,
  NOTHING_CARRIED,
} from '../../../../src/proof/audit/audit-carried-over.ts';
import { createFindings } from '../../../../src/proof/audit/finding.ts';
import type {
  BookedAmounts,
  BookedRecord,
  ReadRun,
  RunBooks,
} from '../../../../src/proof/audit/run-books.ts';
import { ownerOf } from '../../../support/ledger-files.ts';

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

describe('whom a run paid', () => {
  const paidTo = { costs: 50n, developer: 100n, holders: 805n, holdersPaid: 1n };
  const wrong = (change: Partial<typeof paidTo>) => {
    const findings = createFindings();
    const debt = { ...holder('creditor', 0n, 30n, 30n), kind: 'debt' as const };
    const books: ReadRun = {
      ...first,
      amounts: { ...amounts, paidDebts: 30n },
      paidTo: { ...paidTo, ...change },
      records: [...first.records, debt],
      batches: [
        ...first.batches,
        { pot: 'other pot', signature: 'debts', payments: [{ record: 4, amount: 30n }] },
      ],
    };
    auditAmounts(books, findings);
    return findings.list.map(({ what, expected, found }) => [what, expected, found]);
  };

  test('is what its batches paid in its own asset', () => expect(wrong({})).toEqual([]));

  test.each([
    ['costs', '50', '51'],
    ['developer', '100', '101'],
    ['holders', '805', '806'],
    ['holdersPaid', '1', '2'],
  ] as const)('does not hold where the run says another %s', (part, expected, found) => {
    expect(wrong({ [part]: BigInt(found) })).toEqual([
      [`run 1: what was paid is what the batches paid: ${part}`, expected, found],
    ]);
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

  test('is asked of the first owner and of the last, in whichever order the records stand', () => {
    const both = [one, owing('other', 90n)];
    for (const records of [both, both.toReversed()]) {
      expect(broken({ ...second([]), records: [...records, ...paidBefore] })).toEqual([]);
      for (const [index, { owner, owedBefore }] of records.entries()) {
        const wrong = records.with(index, { ...(records[index] ?? one), owedBefore: owedBefore + 1n });
        expect(broken({ ...second([]), records: [...wrong, ...paidBefore] })).toEqual([
          `${owner}: run 2: it begins with what run 1 left owed`,
        ]);
      }
    }
  });

  test('is summed over all that an owner is in a run', () => {
    const developer = { ...owing('other', 60n), kind: 'developer' as const };
    const holding = owing('other', 30n);
    expect(broken(second([one, developer, holding]))).toEqual([]);
    expect(broken(second([one, developer, { ...holding, owedBefore: 31n }]))).toEqual([
      'other: run 2: it begins with what run 1 left owed',
    ]);
    const counted = (paid: bigint) => ({ ...owing('one', 0n, paid), kind: 'developer' as const });
    expect(broken(second([counted(5n), owing('one', 0n, 800n), owing('other', 90n)]))).toEqual([]);
    expect(broken(second([counted(5n), owing('one', 0n, 801n), owing('other', 90n)]))).toEqual([
      'one: run 2: it has counted what was paid up to run 1',
    ]);
  });

  test('is compared record by record where files give their records in the order of the keys', () => {
    const inFile = (...records: readonly (BookedRecord & { readonly ownerKey: string })[]) => ({
      length: records.length,
      at: (index: number) => records[index],
      [Symbol.iterator]: () => records[Symbol.iterator](),
    });
    // The keys are in another order than the addresses.
    const [left, right] = [
      { ...owing('z', 7n), ownerKey: '1' },
      { ...owing('a', 8n), ownerKey: '2' },
    ];
    const run = (
      runId: string,
      ...records: readonly (BookedRecord & { readonly ownerKey: string })[]
    ): ReadRun => ({
      ...first,
      runId,
      records: inFile(...records),
      batches: [{ pot: 'pot', signature: 'paid', payments: [{ record: 1, amount: 13n }] }],
    });
    const findings = createFindings();
    const later = [
      { ...left, owedBefore: 12n },
      { ...right, owedBefore: 0n, paidBefore: 13n },
    ] as const;
    auditCarriedOver(run('1', left, right), run('2', ...later), findings);
    expect(findings.list).toEqual([]);
    auditCarriedOver(run('1', left, right), run('2', later[1]), findings);
    expect(findings.list.map(({ account }) => account)).toEqual(['z']);
    auditCarriedOver(run('1', left, right), run('2', later[0], { ...later[1], owedBefore: 1n }), findings);
    expect(findings.list.slice(1).map(({ what, account }) => [what, account])).toEqual([
      ['run 2: it begins with what run 1 left owed', 'a'],
    ]);
  });

  test('is asked of owners that only one of two ledgers has, wherever they stand among the others', () => {
    const left = (...owners: readonly string[]): RunBooks => ({
      ...first,
      batches: [],
      records: owners.map((owner) => holder(owner, 5n, 0n, 5n)),
    });
    const takenOver = (...owners: readonly string[]) =>
      ({ ...second([]), records: owners.map((owner) => owing(owner, 5n)) }) satisfies RunBooks;
    const wrong = (earlier: RunBooks, later: RunBooks) => {
      const findings = createFindings();
      auditCarriedOver(earlier, later, findings);
      return findings.list.map(({ what, account, expected, found }) => [account, what, expected, found]);
    };
    const lost = (owner: string) => [owner, 'run 2: it begins with what run 1 left owed', '5', '0'];
    const madeUp = (owner: string) => [owner, 'run 2: nobody is owed what no earlier run left', '0', '5'];
    expect(wrong(left('a', 'b', 'c'), takenOver('b'))).toEqual([lost('a'), lost('c')]);
    expect(wrong(left('b'), takenOver('a', 'b', 'c'))).toEqual([madeUp('a'), madeUp('c')]);
    expect(wrong(left('a', 'c'), takenOver('b', 'c'))).toEqual([lost('a'), madeUp('b')]);
    expect(wrong(left(), takenOver('a'))).toEqual([madeUp('a')]);
    expect(wrong(left('a'), takenOver())).toEqual([lost('a')]);
  });

  test('is the debt of a run in SOL that the token was owed before', () => {
    const inToken: RunBooks = { ...first, asset: 'token', batches: [], records: [holder('one', 5n, 0n, 5n)] };
    const debt = { ...owing('one', 5n), kind: 'debt' as const, share: 0n };
    const wrong = (records: readonly BookedRecord[]) => {
      const findings = createFindings();
      auditCarriedOver(inToken, { ...second([]), records }, findings);
      return findings.list.length;
    };
    expect(wrong([debt])).toBe(0);
    expect(wrong([{ ...debt, kind: 'holder' }])).toBe(2);
  });

  test('is compared by the keys of owners, whether a list or a file holds them', () => {
    const [one, other] = [ownerOf(1), ownerOf(2)];
    const keyOf = (owner: string) => Buffer.from(addressBytes(owner)).toString('latin1');
    const inFile = [one, other]
      .map((owner) => ({ ...owing(owner, 5n), ownerKey: keyOf(owner) }))
      .sort((a, b) => (a.ownerKey < b.ownerKey ? -1 : 1));
    const later: ReadRun = {
      ...second([]),
      records: { length: 2, at: (index) => inFile[index], [Symbol.iterator]: () => inFile.values() },
    };
    const findings = createFindings();
    const earlier = [one, other].map((owner) => holder(owner, 5n, 0n, 5n));
    auditCarriedOver({ ...first, batches: [], records: earlier }, later, findings);
    expect(findings.list).toEqual([]);
  });

  test('counts what was paid before up to what a record can hold', () => {
    const most = 2n ** 64n - 1n;
    const books = (paidBefore: bigint, runId = '1'): RunBooks => ({
      ...first,
      runId,
      records: [{ ...holder('one', 5n, 0n, 5n), paidBefore }],
      batches: [{ pot: 'pot', signature: 'paid', payments: [{ record: 0, amount: 5n }] }],
    });
    const wrong = (before: bigint, now: bigint) => {
      const findings = createFindings();
      auditCarriedOver(books(before), books(now, '2'), findings);
      return findings.list.length;
    };
    expect(wrong(most - 5n, most)).toBe(0);
    expect(wrong(most - 1n, most)).toBe(0);
    expect(wrong(most - 6n, most)).toBe(1);
  });

  test('is asked of books that tell of payments alone, but not what they paid before', () => {
    const findings = createFindings();
    const alone = { ...first, amounts: undefined };
    auditCarriedOver(alone, second([owing('one', 0n, 1n), owing('other', 90n)]), findings);
    expect(findings.list).toEqual([]);
    auditCarriedOver(alone, second([one]), findings);
    expect(findings.list).toHaveLength(1);
  });

  test('is nothing before the first run', () => {
    const owed = (run: RunBooks) => {
      const findings = createFindings();
      auditFirstRun(run, findings);
      return findings.list.map(({ what, account }) => `${account}: ${what}`);
    };
    expect(owed(first)).toEqual(['other: run 1: nobody is owed what no earlier run left']);
    expect(owed({ ...first, records: first.records.slice(0, 3) })).toEqual([]);
  });

  test('stays as it was over a run that is open', () => {
    const findings = createFindings();
    const carried = { kept: 1n, owed: { sol: 2n, token: 3n }, dust: { sol: 4n, token: 5n } };
    expect(auditCarriedSums(carried, { ...first, amounts: undefined }, findings)).toBe(carried);
    expect(findings.list).toEqual([]);
  });

  test.each([
    ['sol', { sol: 90n, token: 50n }],
    ['token', { sol: 20n, token: 90n }],
  ] as const)('is less by the debts that a run of %s paid in the other asset', (asset, owed) => {
    const begun = { kept: 10n, owed: { sol: 40n, token: 70n }, dust: { sol: 7n, token: 7n } };
    const run = { ...first, asset, amounts: { ...amounts, owed: begun.owed[asset], paidDebts: 20n } };
    expect(auditCarriedSums(begun, run, createFindings()).owed).toEqual(owed);
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
