/** Brings the tables of the document that is named as the first argument up to date. */
import { readFileSync, writeFileSync } from 'node:fs';
import { withConfigurationTable } from './config/configuration-table.ts';
import { withLimitTable } from './http/rate-limit/limit-table.ts';
import { withRejectionTable } from './http/rejection-table.ts';
import { withMetricsTable } from './metrics/metrics-table.ts';
import { withOutcomeTable } from './outcomes/outcome-table.ts';

const document = process.argv[2] ?? 'README.md';
const before = readFileSync(document, 'utf8');
writeFileSync(
  document,
  withLimitTable(withOutcomeTable(withMetricsTable(withRejectionTable(withConfigurationTable(before))))),
);
