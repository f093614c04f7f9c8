import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { rejectionTable, withRejectionTable } from '../../../src/reference/rejection-table.ts';
import { REJECTION_CODES } from '../../../src/streams/rejections.ts';

const README = new URL('../../../README.md', import.meta.url);

test('the table of codes in the README is the one that the service answers from', async () => {
  const readme = await readFile(README, 'utf8');
  expect(withRejectionTable(readme) === readme, 'run: npm run readme').toBe(true);
});

test('the table of codes has every code with its status', () => {
  const table = rejectionTable();
  for (const code of Object.keys(REJECTION_CODES)) expect(table).toContain(`\`${code}\``);
  expect(table).toContain('| 404 | `TOKEN_NOT_FOUND` |');
  expect(table).toContain('| 502 | `CHAIN_UNAVAILABLE` |');
  expect(table).toContain('| 503 | `CHAIN_UNAVAILABLE` |');
});
