/** The report of checks that a test has run by themselves, without a log or a chain to name. */
import type { AuditReport, Notebook } from '../../src/proof/audit/report.ts';

export function reportOf(notebook: Notebook): AuditReport {
  return notebook.report({
    begunAt: '',
    seconds: 0,
    log: { after: '', until: '', events: 0 },
    chain: null,
  });
}
