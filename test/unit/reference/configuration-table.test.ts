import { describe, expect, test } from 'vitest';
import { type Variable, variables } from '../../../src/config/variables.ts';
import { configurationTable } from '../../../src/reference/configuration-table.ts';

describe('the table of variables', () => {
  test('has one row for each variable, with its default and what it means', () => {
    const rows = configurationTable().trimEnd().split('\n').slice(2);
    const all = Object.values<Variable>(variables);
    expect(rows).toHaveLength(all.length);
    for (const [index, { name, meaning }] of all.entries()) {
      const cells = (rows[index] ?? '').split(' | ');
      expect(cells, name).toHaveLength(5);
      expect(cells[0]).toBe(`| \`${name}\``);
      expect(cells[1]).not.toBe('');
      expect(cells[4]).toBe(`${meaning} |`);
    }
  });

  test('names no variable twice', () => {
    const names = Object.values<Variable>(variables).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});
