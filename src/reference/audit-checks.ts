/** Every check of `levy audit` with its findings, for the reference. */
import { CHECKS } from '../proof/audit/checks.ts';
import type { DeclaredCheck } from '../proof/audit/declared-check.ts';
import { markdownTable } from './markdown.ts';

export function auditChecks(): string {
  return Object.values<DeclaredCheck>(CHECKS).map(sectionOf).join('\n');
}

function sectionOf({ group, check, proves, findings, remedy }: DeclaredCheck): string {
  const rows = Object.entries(findings);
  return [
    `## ${group}/${check}\n`,
    `Proves: ${proves}.\n`,
    `What to do: ${remedy}.\n`,
    ...(rows.length === 0 ? [] : [markdownTable(['finding', 'what it means'], rows)]),
  ].join('\n');
}
