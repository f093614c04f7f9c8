/** Formats an audit's report as text. */
import type { CheckNames } from './checks.ts';
import type { Finding, Place } from './finding.ts';
import type { AuditReport, CheckReport, NotLookedAt, NotTold } from './report.ts';

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
    lines.push(...report.findingsNotToldByKind.map(lineOfNotTold));
    lines.push('');
  }
  if (report.couldNotLook.length > 0) {
    lines.push('Could not be checked', ...report.couldNotLook.flatMap(linesOfNotLookedAt));
    lines.push(...report.couldNotLookNotToldByKind.map(lineOfNotTold));
    lines.push('');
  }
  if (report.leftOut.length > 0)
    lines.push('Skipped', ...report.leftOut.map((sentence) => `  ${sentence}`), '');
  lines.push(summaryOf(report));
  return lines;
}

function lineOf({ check, proves, outcome, looked, found, couldNotLook, leftOut }: CheckReport): string {
  const figures = [`${looked} checked`];
  if (found > 0) figures.push(`${found} found`);
  if (couldNotLook > 0) figures.push(`${couldNotLook} could not be checked`);
  const end = leftOut === undefined ? figures.join(', ') : leftOut;
  return `${outcome.padEnd(14)} ${check}: ${proves} (${end})`;
}

function linesOfFinding(finding: Finding & CheckNames): readonly string[] {
  const { group, check, what, expected, found } = finding;
  return [
    `  ${group}/${check}: ${what}`,
    `    expected ${expected}, found ${found}`,
    ...linesOfPlace(finding),
  ];
}

function lineOfNotTold({ group, check, what, count }: NotTold): string {
  return `  and ${count} more of ${group}/${check}: ${what}`;
}

function linesOfPlace({
  event,
  document,
  account,
  signature,
  tokenId,
  runId,
  time,
  timeOf,
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
  if (time !== undefined)
    lines.push(`    at ${time} (${timeOf === 'block' ? 'block time' : 'time of recording'})`);
  return lines;
}

function linesOfNotLookedAt(entry: NotLookedAt): readonly string[] {
  const { group, check, what, why } = entry;
  return [`  ${group}/${check}: ${what}: ${why}`, ...linesOfPlace(entry)];
}

function summaryOf({ outcome, checks, log, seconds }: AuditReport): string {
  const sum = (column: 'found' | 'couldNotLook') => checks.reduce((all, each) => all + each[column], 0);
  const work = `${log.events} events in ${seconds.toFixed(1)} s`;
  if (outcome === 'held') return `All checks passed: ${work}.`;
  if (outcome === 'found') return `${sum('found')} findings: ${work}.`;
  return `No findings, but ${sum('couldNotLook')} could not be checked: ${work}.`;
}
