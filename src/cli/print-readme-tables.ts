/** Brings the tables of the document that is named as the first argument up to date. */
import { readFileSync, writeFileSync } from 'node:fs';
import { withConfigurationTable } from '../reference/configuration-table.ts';
import { withLimitTable } from '../reference/limit-table.ts';
import { withMetricsTable } from '../reference/metrics-table.ts';
import { withOutcomeTable } from '../reference/outcome-table.ts';
import { withRejectionTable } from '../reference/rejection-table.ts';

const document = process.argv[2] ?? 'README.md';
const before = readFileSync(document, 'utf8');
writeFileSync(
  document,
  withLimitTable(withOutcomeTable(withMetricsTable(withRejectionTable(withConfigurationTable(before))))),
);
