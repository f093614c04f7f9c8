// An audit's report is bounded, and no kind of finding crowds out another, however frequent it is.
import { describe, expect, test } from 'vitest';
import { randomId } from '../../../../src/kernel/runtime/ids.ts';
import {
  createBoundedFindings,
  kindOf,
  MAX_OF_A_KIND,
} from '../../../../src/proof/audit/bounded-findings.ts';
import { CHECKS } from '../../../../src/proof/audit/checks.ts';
import { createNotebook } from '../../../../src/proof/audit/report.ts';
import { linesOfReport } from '../../../../src/proof/audit/report-text.ts';
import { reportOf } from '../../../support/audit-report.ts';

const UNDECODABLE = 'every event can be decoded';

const eventIn = (stream: string) => ({
  id: randomId(),
  type: 'Happened',
  stream,
  revision: 0,
  position: '1',
});

describe('given more events of another program than are told of a kind', () => {
  const FOREIGN = MAX_OF_A_KIND + 850;

  function notebookWithForeignEvents() {
    const notebook = createNotebook();
    const schema = notebook.check(CHECKS.schema);
    for (let count = 0; count < FOREIGN; count += 1)
      schema.add({
        what: UNDECODABLE,
        expected: 'a valid Happened',
        found: 'an unknown type',
        event: eventIn(`foreign-${count}`),
      });
    return { notebook, schema };
  }

  test('then the rest is counted by kind, in the text as well', () => {
    const { notebook, schema } = notebookWithForeignEvents();
    schema.more('another kind', 7);
    const report = reportOf(notebook);
    expect(report.findingsOmittedByKind).toEqual([
      { group: 'log', check: 'schema', what: UNDECODABLE, count: 850 },
      { group: 'log', check: 'schema', what: 'another kind', count: 7 },
    ]);
    expect(report.findingsOmitted).toBe(857);
    expect(linesOfReport(report)).toContain(`  and 850 more of log/schema: ${UNDECODABLE}`);
  });
});

test('given that many events could not be looked at, when a run cannot be audited, then that is told', () => {
  const notebook = createNotebook();
  const schema = notebook.check(CHECKS.schema);
  for (let count = 0; count < MAX_OF_A_KIND + 3; count += 1)
    schema.unchecked(UNDECODABLE, 'an operator has quarantined it', {
      event: eventIn(`foreign-${count}`),
    });
  notebook.check(CHECKS.payments).unchecked('the payments of a run are those of the ledger', 'pruned');
  const { unchecked, uncheckedOmitted, uncheckedOmittedByKind } = reportOf(notebook);
  expect(unchecked[0]).toMatchObject({ check: 'payments', why: 'pruned' });
  expect(uncheckedOmitted).toBe(3);
  expect(uncheckedOmittedByKind).toEqual([{ group: 'log', check: 'schema', what: UNDECODABLE, count: 3 }]);
});

describe('given a kind of which no more are kept', () => {
  test('when another token has a finding of it, then what the first has most of gives way', () => {
    const found = createBoundedFindings<string>(4);
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) found.add(name, 'kind', 'a');
    found.add('b1', 'kind', 'b');
    found.add('c1', 'kind', 'c');
    found.add('b2', 'kind', 'b');
    expect(found.kept()).toEqual(['a1', 'a2', 'b1', 'c1']);
    expect(found.notKept()).toEqual(new Map([['kind', 4]]));
  });
});

test.each<[string, keyof typeof CHECKS, string, string]>([
  ['a sentence is its own kind', 'schema', UNDECODABLE, UNDECODABLE],
  [
    'what varies is no part of the kind',
    'rules',
    'RunClosed follows from the rules',
    '… follows from the rules',
  ],
  [
    'a document is no part of the kind',
    'documents',
    'the document a(b of c of tokens differs in document, position',
    'the document … of … differs in …',
  ],
  ['a sentence that is not declared has the kind of its check', 'schema', `the event ${randomId()}`, ''],
])('%s', (_rule, check, what, kind) => {
  expect(kindOf(CHECKS[check], what)).toBe(kind);
});
