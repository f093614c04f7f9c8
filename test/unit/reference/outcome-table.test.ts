// The README's table of what subscribers are told is made from the table that they are told by.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { outcomes } from '../../../src/outcomes/index.ts';
import { outcomeTable, withOutcomeTable } from '../../../src/reference/outcome-table.ts';

const readme = readFileSync(fileURLToPath(new URL('../../../README.md', import.meta.url)), 'utf8');

test("the README's table is the one of today", () => {
  expect(withOutcomeTable(readme) === readme, 'run: npm run readme').toBe(true);
});

test('every outcome has its row, what the public is told first', () => {
  const rows = outcomeTable().split('\n').slice(2, -1);
  expect(rows).toHaveLength(outcomes.length);
  const audiences = rows.map((row) => row.split(' | ')[1]);
  expect(audiences).toEqual(audiences.toSorted().toReversed());
});
