// Every figure of a ledger is computed anew, and a ledger that lies about one is found, whoever signed it.
import { hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { LedgerRecord } from '../../../../src/distribution/ledger/record.ts';
import { auditAllotment } from '../../../../src/proof/audit/audit-allotment.ts';
import { createFindings } from '../../../../src/proof/audit/finding.ts';
import { LedgerFileInvalid, readAllotment } from '../../../../src/proof/audit/ledger-files.ts';
import type { BookedAmounts, ReadRun } from '../../../../src/proof/audit/run-books.ts';
import { makeAllotment, ownerOf, RUN_ID } from '../../../support/ledger-files.ts';

const holder = (
  index: number,
  balance: bigint,
  share: bigint,
  fields: Partial<LedgerRecord> = {},
): LedgerRecord => ({
  kind: 'holder',
  owner: ownerOf(index),
  balance,
  basis: balance,
  share,
  owedBefore: 0n,
  planned: share,
  paidBefore: 0n,
  reason: share > 0n ? 'planned' : 'below-least-share',
  ...fields,
});

/** 1,000 among weights of 100, 200 and 300, of which the least is no share. */
const TERMS = {
  divided: '1000',
  sumOfWeights: '600',
  leastShare: '200',
  minimumPayout: '300',
  minimumHolding: '50',
} as const;
const RECORDS = [
  holder(1, 100n, 0n),
  holder(2, 200n, 333n),
  holder(3, 300n, 500n),
  holder(4, 10n, 0n, { reason: 'below-minimum-holding' }),
];

function rulesBroken(
  records: readonly LedgerRecord[],
  terms: Parameters<typeof makeAllotment>[1] = {},
  fields: Partial<ReadRun> = {},
  before?: string,
): readonly string[] {
  const { sha256, bytes } = makeAllotment(records, { ...TERMS, ...terms });
  const allotment = readAllotment(sha256, bytes);
  const findings = createFindings();
  const run: ReadRun = {
    runId: RUN_ID,
    asset: 'sol',
    amounts: undefined,
    pots: [],
    batches: [],
    records: allotment.records,
    allotment,
    pinned: { model: 'proportional', minimumHolding: 50n },
    ...fields,
  };
  auditAllotment(run, before, findings);
  return findings.list.map(({ what }) => what.replace(`run ${RUN_ID}: `, ''));
}

describe('a ledger', () => {
  test('is right when every figure follows from what each held', () => {
    expect(rulesBroken(RECORDS)).toEqual([]);
  });

  test('weighs by square roots where the settings say so', () => {
    const records = [holder(1, 100n, 0n), holder(2, 200n, 350n), holder(3, 300n, 425n)];
    const terms = { model: 'square-root', sumOfWeights: '41', leastShare: '300' } as const;
    const records41 = [holder(1, 100n, 0n), holder(2, 200n, 341n), holder(3, 300n, 414n)];
    const pinned = { model: 'square-root', minimumHolding: 50n };
    expect(rulesBroken(records41, terms, { pinned })).toEqual([]);
    expect(rulesBroken(records, terms, { pinned })).toContain('a share is what the weight makes it');
  });

  test.each<[string, readonly LedgerRecord[], string]>([
    ['a larger share', RECORDS.with(2, holder(3, 300n, 501n)), 'a share is what the weight makes it'],
    [
      'a share for too small a holding',
      RECORDS.with(3, holder(4, 10n, 300n)),
      'a share is what the weight makes it',
    ],
    [
      'more paid than is due',
      RECORDS.with(2, holder(3, 300n, 500n, { planned: 600n })),
      'all that is due is paid, or nothing',
    ],
    [
      'somebody left out without a reason',
      RECORDS.with(2, holder(3, 300n, 500n, { planned: 0n })),
      'who is not paid has a reason',
    ],
    [
      'a weight above what was held',
      RECORDS.with(2, holder(3, 299n, 500n, { basis: 300n })),
      'nobody weighs more than they hold',
    ],
  ])('is found with %s', (_what, records, rule) => {
    expect(rulesBroken(records)).toContain(rule);
  });

  test.each<[string, Parameters<typeof makeAllotment>[1], string]>([
    ['another sum of weights', { sumOfWeights: '601' }, 'the weights add up'],
    ['another model than was chosen', { model: 'square-root' }, 'weights are computed as the settings say'],
    ['another minimum than was chosen', { minimumHolding: '40' }, 'holders need what the settings say'],
    ['another ledger before it', { previousRoot: 'ab'.repeat(32) }, 'the ledger names the one before it'],
  ])('is found with %s', (_what, terms, rule) => {
    expect(rulesBroken(RECORDS, terms)).toContain(rule);
  });

  const scan = {
    balances: '610',
    withheld: '40',
    mint: [
      { slot: '7', supply: '1000', withheld: '350' },
      { slot: '9', supply: '990', withheld: '360' },
    ],
    slack: '20',
    inOneAnswer: false,
  } satisfies NonNullable<Parameters<typeof makeAllotment>[1]>['scan'];
  const [before, after] = scan.mint;

  test('is right with a scan that adds up to the supply', () => {
    expect(rulesBroken(RECORDS, { scan }, { scan })).toEqual([]);
  });

  test.each<[string, { readonly [name in keyof typeof scan]?: unknown }, string]>([
    ['fewer accounts than the supply', { withheld: '19' }, 'the accounts of a scan are no fewer'],
    ['more accounts than the supply', { withheld: '41' }, 'the accounts of a scan are no more'],
    [
      'holders that the scan has not found',
      { balances: '611', withheld: '39' },
      'the holders of the ledger have what the scan has found',
    ],
    ['another slack', { slack: '21' }, 'what a scan leaves open is what was burned and harvested meanwhile'],
    [
      'readings of the mint in another order',
      { mint: [before, { ...after, slot: '6' }] },
      'the mint is read behind the scan',
    ],
    ['figures that are none', { balances: 'many' }, 'a scan says what it adds up to'],
    ['no mint', { mint: [] }, 'a scan says what it adds up to'],
  ])('is found with %s', (_what, changed, rule) => {
    expect(rulesBroken(RECORDS, { scan: { ...scan, ...changed } as typeof scan })).toContain(rule);
    const inLog = rulesBroken(RECORDS, {}, { scan: { ...scan, ...changed } });
    if (changed.balances !== '611') expect(inLog).toContain(rule);
  });

  test('is found without a scan', () => {
    expect(rulesBroken(RECORDS, { scan: undefined as never })).toContain('a scan says what it adds up to');
  });

  test.each<[string, readonly LedgerRecord[], Parameters<typeof makeAllotment>[1]]>([
    ['who holds exactly the minimum', [holder(1, 50n, 1_000n)], { sumOfWeights: '50' }],
    ['a share of exactly the least', RECORDS, { leastShare: '333' }],
    [
      'nobody who has a weight',
      [holder(4, 10n, 0n, { reason: 'below-minimum-holding' })],
      { sumOfWeights: '0' },
    ],
    [
      'somebody who waits until enough is due',
      [...RECORDS, holder(5, 0n, 0n, { owedBefore: 9n, reason: 'below-minimum-payout' })],
      {},
    ],
    [
      'costs that go to somebody who holds the token',
      [...RECORDS, holder(5, 70n, 80n, { kind: 'costs', reason: 'planned' })],
      {},
    ],
    [
      'roots that a double rounds up',
      [holder(1, 2n ** 64n - 1n, 1_000n)],
      { model: 'square-root', sumOfWeights: `${2n ** 32n - 1n}` },
    ],
    [
      'roots of squares',
      [holder(1, (2n ** 31n + 7n) ** 2n, 1_000n)],
      { model: 'square-root', sumOfWeights: `${2n ** 31n + 7n}` },
    ],
  ])('is right with %s', (_what, records, terms) => {
    expect(rulesBroken(records, terms, { pinned: undefined })).toEqual([]);
  });

  test.each<[string, Parameters<typeof makeAllotment>[1]]>([
    ['words', { sumOfWeights: 'many' }],
    ['something before the digits', { sumOfWeights: ' 600' }],
    ['something behind the digits', { sumOfWeights: '600 lamports' }],
    ['a negative sum', { sumOfWeights: '-600' }],
    ['a number of JSON', { sumOfWeights: 600 } as never],
  ])('is found with %s in the place of an amount', (_what, terms) => {
    expect(rulesBroken(RECORDS, terms)).toEqual(['the weights add up']);
  });

  test('is found with both sides of what its reasons say', () => {
    const unpaid = holder(3, 300n, 500n, { planned: 0n });
    const paid = holder(3, 300n, 500n, { reason: 'below-least-share' });
    const sides = (record: LedgerRecord) => {
      const findings = createFindings();
      const { sha256, bytes } = makeAllotment(RECORDS.with(2, record), TERMS);
      const allotment = readAllotment(sha256, bytes);
      const run = { runId: RUN_ID, asset: 'sol', amounts: undefined, pots: [], batches: [] } as const;
      auditAllotment({ ...run, records: allotment.records, allotment }, undefined, findings);
      return findings.list.map(({ expected, found }) => [expected, found]);
    };
    expect(sides(unpaid)).toEqual([['a reason', 'planned']]);
    expect(sides(paid)).toEqual([['planned', 'the reason 2']]);
  });

  test('is not asked of a run that allotted nothing', () => {
    expect(rulesBroken(RECORDS, {}, { allotment: undefined })).toEqual([]);
  });

  test('is none where somebody stands in it twice', () => {
    const { bytes } = makeAllotment(RECORDS, TERMS);
    const header = 4 + bytes.readUInt32LE();
    const doubled = Buffer.from(bytes);
    doubled.copy(doubled, header + 82, header, header + 82);
    const sha256 = hash('sha256', doubled, 'hex');
    expect(() => readAllotment(sha256, doubled)).toThrow(LedgerFileInvalid);
  });
});

describe("a ledger beside its run's page", () => {
  const PAGE: BookedAmounts = {
    kept: 0n,
    collected: 0n,
    burned: 0n,
    sold: 0n,
    keptAfter: 0n,
    proceeds: 1_020n,
    costs: 50n,
    developer: 70n,
    holders: 900n,
    dust: 100n,
    dustAfter: 167n,
    shares: 833n,
    owed: 0n,
    owedAfter: 0n,
    planned: 953n,
    paid: 953n,
    paidDebts: 400n,
  };
  const paid = (
    kind: LedgerRecord['kind'],
    index: number,
    share: bigint,
    fields: Partial<LedgerRecord> = {},
  ): LedgerRecord => holder(index, 0n, share, { kind, reason: 'planned', ...fields });
  /** Less than a holder's smallest payment: costs, developer and debts are paid whatever they are. */
  const WHOLE = [
    ...RECORDS,
    paid('costs', 5, 50n),
    paid('developer', 6, 70n),
    paid('debt', 2, 0n, { owedBefore: 40n, planned: 40n }),
  ];
  const broken = (
    records: readonly LedgerRecord[],
    page: Partial<BookedAmounts> = {},
    terms: Parameters<typeof makeAllotment>[1] = {},
    before?: string,
  ) => rulesBroken(records, terms, { amounts: { ...PAGE, ...page } }, before);

  test('is right when both say the same', () => {
    expect(broken(WHOLE)).toEqual([]);
    expect(broken(WHOLE, { holders: 0n, dust: 1_000n })).toEqual([]);
  });

  test('may pay exactly the smallest payment, and follow a ledger before it', () => {
    const previousRoot = 'ab'.repeat(32);
    expect(broken(WHOLE, {}, { minimumPayout: '333', previousRoot }, previousRoot)).toEqual([]);
  });

  // Judged in the test and not while the file is loaded, so that a mutant is noticed.
  test.each<[string, () => readonly string[], string]>([
    [
      'another sum for the holders',
      () => broken(WHOLE, { holders: 901n }),
      "what is divided is the holders' part and earlier dust",
    ],
    [
      'other earlier dust',
      () => broken(WHOLE, { dust: 99n }),
      "what is divided is the holders' part and earlier dust",
    ],
    ['other costs', () => broken(WHOLE, { costs: 51n }), 'the costs are those of the ledger'],
    [
      'costs that the ledger has for somebody else as well',
      () => broken([...WHOLE, paid('costs', 7, 1n)]),
      'the costs are those of the ledger',
    ],
    [
      'another part of the developer',
      () => broken(WHOLE, { developer: 69n }),
      "the developer's part is that of the ledger",
    ],
    [
      'a part of the developer that the ledger leaves out',
      () => broken(WHOLE.toSpliced(5, 1)),
      "the developer's part is that of the ledger",
    ],
    [
      'a share for a debt',
      () => broken(WHOLE.with(6, paid('debt', 2, 1n, { owedBefore: 40n, planned: 41n }))),
      'a debt has no share',
    ],
    [
      'a payment below the smallest',
      () => broken(WHOLE, {}, { minimumPayout: '334' }),
      'a payment is at least the smallest',
    ],
    [
      'the ledger of another run',
      () => rulesBroken(WHOLE, {}, { amounts: PAGE, runId: '2' }),
      'run 2: the ledger is of the run',
    ],
    [
      'a ledger that names another one before it',
      () => broken(WHOLE, {}, { previousRoot: 'ab'.repeat(32) }, 'cd'.repeat(32)),
      'the ledger names the one before it',
    ],
    [
      'a ledger that leaves out the one before it',
      () => broken(WHOLE, {}, {}, 'cd'.repeat(32)),
      'the ledger names the one before it',
    ],
  ])('is found with %s', (_what, found, rule) => {
    expect(found()).toEqual([rule]);
  });
});
