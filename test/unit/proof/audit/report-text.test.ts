// A report for readers lists each finding with both sides and where to look, and what nobody could look at.
import { expect, test } from 'vitest';
import { CHECKS } from '../../../../src/proof/audit/checks.ts';
import { createNotebook } from '../../../../src/proof/audit/report.ts';
import { linesOfReport } from '../../../../src/proof/audit/report-text.ts';

const about = {
  begunAt: '2026-05-04T10:00:00.000Z',
  seconds: 1.25,
  log: { after: '', until: '9', events: 9 },
  chain: null,
};

test('a report without findings lists none, and says that all holds', () => {
  const notebook = createNotebook();
  notebook.check(CHECKS.mints).checked(3);
  const text = linesOfReport(notebook.report(about));
  expect(text).not.toContain('Findings');
  expect(text).not.toContain('Could not be checked');
  expect(text).toContain('All checks passed: 9 events in 1.3 s.');
});

test('a report lists what was found, and what could not be checked at, with every place', () => {
  const notebook = createNotebook();
  const mints = notebook.check(CHECKS.mints);
  mints.checked(2);
  mints.equal('no account can freeze a token', 'nobody', 'somebody', {
    account: 'mint',
    signature: 'creation',
    tokenId: 'token',
    runId: 'run',
    document: { collection: 'tokens', key: 'one' },
    event: { id: 'id', type: 'TokenCreated', stream: 'token-1', revision: 0, position: '7' },
    time: '2026-05-04T10:00:00.000Z',
  });
  mints.unchecked('a token has its mint', 'the node is away', { account: 'other' });
  const lines = linesOfReport(notebook.report(about));
  const from = lines.indexOf('Findings');
  expect(lines.slice(from)).toEqual([
    'Findings',
    '  chain/mints: violated: no account can freeze a token',
    '    expected nobody, found somebody',
    '    event id, TokenCreated, revision 0 of token-1, position 7',
    '    document one of tokens',
    '    token token',
    '    run run',
    '    account mint',
    '    signature creation',
    '    recorded at 2026-05-04T10:00:00.000Z',
    '',
    'Could not be checked',
    '  chain/mints: a token has its mint: the node is away',
    '    account other',
    '',
    '1 findings: 9 events in 1.3 s.',
  ]);
});
