// Outcomes of each check and of the whole report: found outranks unchecked, and unchecked outranks held.
import { describe, expect, test } from 'vitest';
import { CHECKS } from '../../../../src/proof/audit/checks.ts';
import { type CheckNotes, createNotebook, exitCodeOf } from '../../../../src/proof/audit/report.ts';
import { linesOfReport } from '../../../../src/proof/audit/report-text.ts';
import { reportOf } from '../../../support/audit-report.ts';

const FINDING = { what: 'no account can freeze a token', expected: 'nobody', found: 'somebody' };

function reported(...notes: readonly ((check: CheckNotes) => void)[]) {
  const notebook = createNotebook();
  for (const [index, note] of notes.entries())
    note(notebook.check(index === 0 ? CHECKS.mints : CHECKS.payments));
  return reportOf(notebook);
}
const held = (check: CheckNotes) => check.checked();
const found = (check: CheckNotes) => check.add(FINDING);
const unlooked = (check: CheckNotes) => check.unchecked('a token has its mint', 'the node is away');
const skipped = (check: CheckNotes) => check.skipped('no ledgers were given');

describe('a check', () => {
  test.each<[string, (check: CheckNotes) => void, object]>([
    ['held, whatever it has checked at', held, { outcome: 'held', checked: 1, found: 0, unchecked: 0 }],
    ['has found something', found, { outcome: 'found', found: 1 }],
    ['could not look at something', unlooked, { outcome: 'unchecked', unchecked: 1 }],
    ['was left out', skipped, { outcome: 'skipped', skipped: 'no ledgers were given' }],
    [
      'has found something, though it could not look at everything',
      (check) => {
        unlooked(check);
        found(check);
      },
      { outcome: 'found', found: 1, unchecked: 1 },
    ],
    [
      'could not look at something, though the rest was left out',
      (check) => {
        skipped(check);
        unlooked(check);
      },
      { outcome: 'unchecked' },
    ],
    ['has found what it only counts', (check) => check.more(3), { outcome: 'found', found: 3 }],
    ['counts several at a time', (check) => check.checked(5), { checked: 5 }],
  ])('%s', (_what, note, expected) => {
    const [check] = reported(note).checks;
    expect(check).toMatchObject(expected);
  });

  test('says why it was left out only where it was', () => {
    expect(reported(held).checks[0]).not.toHaveProperty('skipped');
  });
});

describe('the whole', () => {
  test.each([
    ['held where all checks held or were left out', [held, skipped], 'held', 0],
    ['found something where one check did', [held, found], 'found', 1],
    ['could not be checked at where one check could not', [held, unlooked], 'unchecked', 2],
    ['found something, whatever could not be checked at', [unlooked, found], 'found', 1],
  ] as const)('%s', (_what, notes, outcome, code) => {
    const report = reported(...notes);
    expect(report.outcome).toBe(outcome);
    expect(exitCodeOf(report)).toBe(code);
  });

  test('tells findings about money before those about the log, and so what it could not look at', () => {
    const notebook = createNotebook();
    for (const check of [CHECKS.schema, CHECKS.documents, CHECKS.settings, CHECKS.mints, CHECKS.payments]) {
      const notes = notebook.check(check);
      notes.add({ ...FINDING, what: check.check });
      notes.unchecked(check.check, 'away');
    }
    const report = reportOf(notebook);
    const inOrder = ['ledgers', 'chain', 'promises', 'read-models', 'log'];
    expect(report.findings.map(({ group }) => group)).toEqual(inOrder);
    expect(report.unchecked.map(({ group }) => group)).toEqual(inOrder);
    // The checks themselves stay in the order in which they were made.
    expect(report.checks.map(({ group }) => group)).toEqual(inOrder.toReversed());
  });
});

test('no more than a thousand findings of a check are listed, and all are counted', () => {
  const report = reported((check) => {
    for (let count = 0; count < 1_001; count += 1) {
      found(check);
      unlooked(check);
    }
  }, found);
  expect([report.findings.length, report.unchecked.length]).toEqual([1_001, 1_000]);
  expect(linesOfReport(report).filter((line) => line.includes(' more of '))).toEqual([
    '  and 1 more of chain/mints',
    '  and 1 more of chain/mints',
  ]);
  expect(report.checks).toMatchObject([{ found: 1_001, unchecked: 1_001 }, { found: 1 }]);
});
