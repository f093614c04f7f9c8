// Only a ledger whose root the chain was told, before anything was paid, is the one that was paid by.
import { expect, test } from 'vitest';
import { auditAnnouncedRoot } from '../../../../src/proof/audit/audit-announced-root.ts';
import { auditFirstRun } from '../../../../src/proof/audit/audit-carried-over.ts';
import { createFindings } from '../../../../src/proof/audit/finding.ts';
import { readAllotment } from '../../../../src/proof/audit/ledger-files.ts';
import type { BookedRecord, ReadRun } from '../../../../src/proof/audit/run-books.ts';
import { makeAllotment, ownerOf, RUN_ID } from '../../../support/ledger-files.ts';
import { historyOf, type Landed } from '../../../support/past-transactions.ts';

const record = {
  kind: 'holder',
  owner: ownerOf(1),
  balance: 100n,
  basis: 100n,
  share: 5n,
  owedBefore: 0n,
  planned: 5n,
  paidBefore: 0n,
  reason: 'planned',
} as const;
const { sha256, bytes, root } = makeAllotment([record]);
const allotment = readAllotment(sha256, bytes);
const RUN: ReadRun = {
  runId: RUN_ID,
  asset: 'sol',
  amounts: undefined,
  pots: [{ asset: 'sol', address: 'pot', delegate: 'key', allowance: 5n }],
  batches: [],
  records: allotment.records,
  allotment,
  steps: { withdraw: [], split: [], open: ['opening', 'later'] },
};
const told = (text: string, signature = 'opening'): Landed => ({
  signature,
  signers: ['distributor'],
  actions: [
    { kind: 'initialize', account: 'pot', owner: 'wallet' },
    { kind: 'memo', text },
  ],
});
const RIGHT = `levy:${RUN_ID}:${root}`;

async function found(chain: readonly Landed[], fields: Partial<ReadRun> = {}): Promise<readonly string[]> {
  const findings = createFindings();
  await auditAnnouncedRoot({ ...RUN, ...fields }, historyOf(chain), findings);
  return findings.list.map(({ what }) => what.replace(`run ${RUN_ID}: `, ''));
}

test('a ledger is right whose root the transaction tells that opens the first pot', async () => {
  expect(await found([told(RIGHT)])).toEqual([]);
});

test.each<[string, readonly Landed[], Partial<ReadRun>]>([
  ['another root was told', [told(`levy:${RUN_ID}:${'ab'.repeat(32)}`)], {}],
  ['the root was told of another run', [told(`levy:2:${root}`)], {}],
  ['nothing was told', [{ ...told(RIGHT), actions: [] }], {}],
  ['the transaction failed that told it', [{ ...told(RIGHT), failed: true }], {}],
  ['only a later transaction told it', [told('levy', 'opening'), told(RIGHT, 'later')], {}],
  ['the chain does not have the transaction', [], {}],
  ['the books name no opening', [told(RIGHT)], { steps: { withdraw: [], split: [], open: [] } }],
])('a ledger is found when %s', async (_what, chain, fields) => {
  expect(await found(chain, fields)).toEqual([
    "the chain was told the ledger's root before anything was paid",
  ]);
});

test('a ledger whose root was not told is found at the opening, where the books name one', async () => {
  const findings = createFindings();
  await auditAnnouncedRoot(RUN, historyOf([]), findings);
  const unnamed = { ...RUN, steps: { withdraw: [], split: [], open: [] } };
  await auditAnnouncedRoot(unnamed, historyOf([]), findings);
  const missing = {
    what: `run ${RUN_ID}: the chain was told the ledger's root before anything was paid`,
    expected: RIGHT,
    found: 'no memo',
  };
  expect(findings.list).toEqual([{ ...missing, signature: 'opening' }, missing]);
});

test('a run that opened no pot has told nothing, and books of payments alone do not say', async () => {
  expect(await found([], { pots: [] })).toEqual([]);
  const { steps: _steps, ...alone } = RUN;
  const findings = createFindings();
  await auditAnnouncedRoot(alone, historyOf([]), findings);
  expect(findings.list).toEqual([]);
});

test('the first run of a token owes nobody anything from before', () => {
  const first = (...records: readonly BookedRecord[]) => {
    const findings = createFindings();
    auditFirstRun({ ...RUN, records }, findings);
    return findings.list.map(({ what, account }) => `${what.replace(`run ${RUN_ID}: `, '')} ${account}`);
  };
  expect(first(record, { ...record, owner: ownerOf(2) })).toEqual([]);
  expect(first(record, { ...record, owner: ownerOf(2), owedBefore: 1n, planned: 6n })).toEqual([
    `nobody is owed what no earlier run left ${ownerOf(2)}`,
  ]);
});
