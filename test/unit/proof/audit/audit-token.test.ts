// The audit of a token goes through its runs in their order: each is held against what those before it left.
import { describe, expect, test } from 'vitest';
import type { LedgerRecord } from '../../../../src/distribution/ledger/record.ts';
import { auditToken } from '../../../../src/proof/audit/audit-token.ts';
import type { AuditedChain } from '../../../../src/proof/audit/chain-history.ts';
import { readAllotment } from '../../../../src/proof/audit/ledger-files.ts';
import type { BookedAmounts, ReadRun, TokenBooks } from '../../../../src/proof/audit/run-books.ts';
import { addresses } from '../../../support/domain-examples.ts';
import { makeAllotment, ownerOf } from '../../../support/ledger-files.ts';

const ONE = ownerOf(1);

/** A chain on which nothing has happened. */
const emptyChain: AuditedChain = {
  accounts: async (asked) => asked.map(() => undefined),
  accountsAt: async (asked) => ({ accounts: asked.map(() => undefined) }),
  signaturesOf: async () => [],
  transaction: async () => undefined,
};

const books = (...runs: readonly ReadRun[]): TokenBooks<ReadRun> => ({
  mint: addresses.mint,
  wallet: addresses.creator,
  distributor: 'distributor',
  marker: addresses.otherCreator,
  runs,
  links: [],
  inTill: 0n,
  inAccount: 0n,
});

const run = (runId: string, fields: Partial<ReadRun> = {}): ReadRun => ({
  runId,
  asset: 'sol',
  amounts: undefined,
  pots: [],
  batches: [],
  records: [],
  ...fields,
});

const record = (fields: Partial<ReadRun['records'] extends Iterable<infer Each> ? Each : never> = {}) => ({
  kind: 'holder' as const,
  owner: ONE,
  share: 0n,
  owedBefore: 0n,
  planned: 0n,
  paidBefore: 0n,
  ...fields,
});

/** Nothing was collected, paid or left. */
const NOTHING: BookedAmounts = {
  kept: 0n,
  collected: 0n,
  burned: 0n,
  sold: 0n,
  keptAfter: 0n,
  proceeds: 0n,
  costs: 0n,
  developer: 0n,
  holders: 0n,
  dust: 0n,
  dustAfter: 0n,
  shares: 0n,
  owed: 0n,
  owedAfter: 0n,
  planned: 0n,
  paid: 0n,
  paidDebts: 0n,
};

async function found(...runs: readonly ReadRun[]) {
  return (await auditToken(books(...runs), emptyChain)).map(({ what }) => what);
}

test('a token without runs, and runs in which nothing happened, are right', async () => {
  expect(await found()).toEqual([]);
  expect(await found(run('1'), run('2', { amounts: NOTHING }))).toEqual([]);
});

describe('the first run', () => {
  test('owes nobody anything yet', async () => {
    expect(await found(run('1', { records: [record({ owedBefore: 7n })] }))).toEqual([
      'run 1: nobody is owed what no earlier run left',
    ]);
  });

  test('has nothing to take over', async () => {
    expect(await found(run('1', { amounts: { ...NOTHING, kept: 5n, keptAfter: 5n } }))).toContain(
      'run 1: it keeps what was kept before',
    );
  });
});

describe('a later run', () => {
  const first = run('1', { records: [record({ share: 7n })] });

  test('begins with what the run before left owed, and not with what one before that did', async () => {
    const second = run('2', { records: [record({ owedBefore: 7n })] });
    expect(await found(first, second)).toEqual([]);
    expect(await found(first, second, run('3', { records: [record({ owedBefore: 7n })] }))).toEqual([]);
    expect(await found(first, run('2', { records: [record({ owedBefore: 6n })] }))).toEqual([
      'run 2: it begins with what run 1 left owed',
    ]);
    expect(await found(first, run('2'))).toEqual(['run 2: it begins with what run 1 left owed']);
  });

  test('keeps what the last closed run has kept, also where one between is not closed', async () => {
    const kept = run('1', { amounts: { ...NOTHING, collected: 5n, keptAfter: 5n } });
    const next = run('3', { amounts: { ...NOTHING, kept: 5n, keptAfter: 5n } });
    expect(await found(kept, run('2'), next)).toEqual([]);
    expect(await found(kept, run('2'), run('3', { amounts: NOTHING }))).toContain(
      'run 3: it keeps what was kept before',
    );
  });
});

describe('a ledger', () => {
  const holder: LedgerRecord = {
    kind: 'holder',
    owner: ONE,
    balance: 100n,
    basis: 100n,
    share: 1_000n,
    owedBefore: 0n,
    planned: 0n,
    paidBefore: 0n,
    reason: 'below-minimum-payout',
  };
  const withLedger = (runId: string, previousRoot: string | null) => {
    const owedBefore = previousRoot === null ? 0n : 1_000n;
    const made = makeAllotment([{ ...holder, owedBefore }], {
      divided: '1000',
      sumOfWeights: '100',
      minimumPayout: '5000',
      previousRoot,
    });
    const allotment = readAllotment(made.sha256, made.bytes);
    return { run: run(runId, { records: allotment.records, allotment }), root: made.root };
  };

  test('names the ledger before it, also where a run between allotted nothing', async () => {
    const first = withLedger('1', null);
    const between = run('2', { records: [record({ owedBefore: 1_000n })] });
    const named = (root: string | null) => found(first.run, between, withLedger('3', root).run);
    expect(await named(first.root)).not.toContain('run 3: the ledger names the one before it');
    expect(await named('ab'.repeat(32))).toContain('run 3: the ledger names the one before it');
    expect(await found(withLedger('1', 'ab'.repeat(32)).run)).toContain(
      'run 1: the ledger names the one before it',
    );
  });
});
