import { expect, test } from 'vitest';
import { rejectionTable } from '../../../src/reference/rejection-table.ts';
import { REJECTION_CODES } from '../../../src/streams/rejections.ts';

test('the table of codes has every code with its status', () => {
  const table = rejectionTable();
  for (const code of Object.keys(REJECTION_CODES)) expect(table).toContain(`\`${code}\``);
  expect(table).toContain('| 404 | `TOKEN_NOT_FOUND` |');
  expect(table).toContain('| 502 | `CHAIN_UNAVAILABLE` |');
  expect(table).toContain('| 503 | `CHAIN_UNAVAILABLE` |');
});
