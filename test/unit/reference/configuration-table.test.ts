import { describe, expect, test } from 'vitest';
import type { Variable } from '../../../src/operations/config/variables.ts';
import { groups, variables } from '../../../src/operations/config/variables.ts';
import { advancedVariables, firstVariables } from '../../../src/reference/tables.ts';

const all = Object.values<Variable>(variables);
const cellsOf = (markdown: string) =>
  markdown
    .split('\n')
    .filter((line) => /^\| `[A-Z]/.test(line))
    .map((line) => line.slice(2, -2).split(' | '));

describe('the tables of variables', () => {
  test('have one row for each variable, with its default and what it means, and when it is changed', () => {
    const rows = new Map(
      [...cellsOf(firstVariables()), ...cellsOf(advancedVariables())].map((cells) => [cells[0], cells]),
    );
    expect(rows.size).toBe(all.length);
    for (const { name, meaning, changedWhen } of all) {
      const cells = rows.get(`\`${name}\``) ?? [];
      expect(cells[1], name).not.toBe('');
      expect(cells.slice(4), name).toEqual(changedWhen === undefined ? [meaning] : [meaning, changedWhen]);
    }
  });

  test('name no variable twice, and every variable in a group', () => {
    const names = all.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(groups.flatMap((group) => group.variables)).toEqual(all);
  });

  test('are short enough to choose from: twenty to read first, and 65 in all', () => {
    expect(all.filter(({ changedWhen }) => changedWhen === undefined).length).toBeLessThanOrEqual(20);
    expect(all.length).toBeLessThanOrEqual(65);
  });
});
