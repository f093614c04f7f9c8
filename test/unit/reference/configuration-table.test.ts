import { describe, expect, test } from 'vitest';
import type { Variable } from '../../../src/operations/config/variables.ts';
import { groups, variables } from '../../../src/operations/config/variables.ts';

const all = Object.values<Variable>(variables);
describe('the tables of variables', () => {
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
