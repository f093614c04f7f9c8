/** Formats an audit's report as text. */
import type { CheckNames } from './checks.ts';
import type { Finding, Place } from './finding.ts';
import type { AuditReport, CheckReport, Unchecked } from './report.ts';

const TITLES = {
  log: 'The log with itself',
  'read-models': 'The read models with the log',
  chain: 'The log with the chain',
  ledgers: 'Every lamport and base unit of tax',
  promises: 'Promises',
} as const;

export function linesOfReport(report: AuditReport): readonly string[] {
  const lines: string[] = [];
  for (const [group, title] of Object.entries(TITLES)) {
    const own = report.checks.filter((check) => check.group === group);
    if (own.length === 0) continue;
    lines.push(title, ...own.map((check) => `  ${lineOf(check)}`), '');
  }
  if (report.findings.length > 0) {
    lines.push('Findings', ...report.findings.flatMap(linesOfFinding));
    lines.push(...omittedLines(report, 'found', report.findings));
    lines.push('');
  }
  if (report.unchecked.length > 0) {
    lines.push('Could not be checked', ...report.unchecked.flatMap(uncheckedLines));
    lines.push(...omittedLines(report, 'unchecked', report.unchecked));
    lines.push('');
  }
  if (report.skipped.length > 0)
    lines.push('Skipped', ...report.skipped.map((sentence) => `  ${sentence}`), '');
  lines.push(summaryOf(report));
  return lines;
}

function lineOf({ check, proves, outcome, checked, found, unchecked, skipped }: CheckReport): string {
  const figures = [`${checked} checked`];
  if (found > 0) figures.push(`${found} found`);
  if (unchecked > 0) figures.push(`${unchecked} could not be checked`);
  const end = skipped === undefined ? figures.join(', ') : skipped;
  return `${outcome.padEnd(14)} ${check}: ${proves} (${end})`;
}

function linesOfFinding(finding: Finding & CheckNames): readonly string[] {
  const { group, check, what, expected, found } = finding;
  return [
    `  ${group}/${check}: violated: ${what}`,
    `    expected ${expected}, found ${found}`,
    ...linesOfPlace(finding),
  ];
}

/** Lines with the number of entries that the report counts but does not list, by check. `listed`: entries in the report. */
function omittedLines(
  { checks }: AuditReport,
  column: 'found' | 'unchecked',
  listed: readonly CheckNames[],
): readonly string[] {
  return checks.flatMap(({ group, check, [column]: count }) => {
    const more = count - listed.filter((one) => one.group === group && one.check === check).length;
    return more > 0 ? [`  and ${more} more of ${group}/${check}`] : [];
  });
}

function linesOfPlace({
  event,
  document,
  account,
  signature,
  tokenId,
  runId,
  time,
}: Place): readonly string[] {
  const lines: string[] = [];
  if (event !== undefined)
    lines.push(
      `    event ${event.id}, ${event.type}, revision ${event.revision} of ${event.stream}, position ${event.position}`,
    );
  if (document !== undefined) lines.push(`    document ${document.key} of ${document.collection}`);
  if (tokenId !== undefined) lines.push(`    token ${tokenId}`);
  if (runId !== undefined) lines.push(`    run ${runId}`);
  if (account !== undefined) lines.push(`    account ${account}`);
  if (signature !== undefined) lines.push(`    signature ${signature}`);
  if (time !== undefined) lines.push(`    recorded at ${time}`);
  return lines;
}

function uncheckedLines(entry: Unchecked): readonly string[] {
  const { group, check, what, why } = entry;
  return [`  ${group}/${check}: ${what}: ${why}`, ...linesOfPlace(entry)];
}

function summaryOf({ outcome, checks, log, seconds }: AuditReport): string {
  const sum = (column: 'found' | 'unchecked') => checks.reduce((all, each) => all + each[column], 0);
  const work = `${log.events} events in ${seconds.toFixed(1)} s`;
  if (outcome === 'held') return `All checks passed: ${work}.`;
  if (outcome === 'found') return `${sum('found')} findings: ${work}.`;
  return `No findings, but ${sum('unchecked')} could not be checked: ${work}.`;
}
