// Outcomes of each check and of the whole report: found outranks unchecked, and unchecked outranks held.
import { describe, expect, test } from 'vitest';
import { CHECKS } from '../../../../src/proof/audit/checks.ts';
import { type CheckNotes, createNotebook, exitCodeOf } from '../../../../src/proof/audit/report.ts';
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
    ['has found what it only counts', (check) => check.more('a kind', 3), { outcome: 'found', found: 3 }],
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
      notes.more('', 2);
    }
    const report = reportOf(notebook);
    const inOrder = ['ledgers', 'chain', 'promises', 'read-models', 'log'];
    expect(report.findings.map(({ group }) => group)).toEqual(inOrder);
    expect(report.unchecked.map(({ group }) => group)).toEqual(inOrder);
    expect(report.findingsOmittedByKind.map(({ group }) => group)).toEqual(inOrder);
    expect(report.findingsOmitted).toBe(10);
    expect(report.uncheckedOmitted).toBe(0);
    // The checks themselves stay in the order in which they were made.
    expect(report.checks.map(({ group }) => group)).toEqual(inOrder.toReversed());
  });

  test('names a kind that is only counted by its sentence, and one without a sentence by its check', () => {
    const report = reported((check) => {
      check.more('', 2);
      check.more('no account can freeze a token', 3);
    });
    expect(report.findingsOmittedByKind).toEqual([
      { group: 'chain', check: 'mints', what: 'mints', count: 2 },
      { group: 'chain', check: 'mints', what: 'no account can freeze a token', count: 3 },
    ]);
  });
});

describe('of a kind of which there is more than is told', () => {
  const MANY = 1_000;
  /** A thousand about one thing, then one about another: the other is told all the same. */
  const isTold = (crowd: object, other: object) => {
    const { findings } = reported((check) => {
      for (let count = 0; count < MANY; count += 1) check.add({ ...FINDING, ...crowd });
      check.add({ ...FINDING, ...other, account: 'other' });
    });
    return findings.some(({ account }) => account === 'other');
  };
  const event = (stream: string) => ({ event: { id: '', type: '', stream, revision: 0, position: '1' } });

  test.each([
    ['another token', { tokenId: 'a' }, { tokenId: 'b' }, true],
    [
      'another collection',
      { document: { collection: 'tokens', key: '1' } },
      { document: { collection: 'launches', key: '1' } },
      true,
    ],
    ['another category of the service', event('token-1'), event('draft-1'), true],
    ['an event of the service beside those of others', event('foreign-1'), event('token-1'), true],
    ['the same token', { tokenId: 'a' }, { tokenId: 'a' }, false],
    [
      'the same collection',
      { document: { collection: 'tokens', key: '1' } },
      { document: { collection: 'tokens', key: '2' } },
      false,
    ],
    ['the same category', event('token-1'), event('token-2'), false],
    ['one more category of others', event('foreign-1'), event('strange-1'), false],
  ])('what is about %s is told: see the table', (_what, crowd, other, told) => {
    expect(isTold(crowd, other)).toBe(told);
  });
});
