import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { type Variable, variables } from '../../../src/config/variables.ts';
import { configurationTable, withConfigurationTable } from '../../../src/reference/configuration-table.ts';

const README = new URL('../../../README.md', import.meta.url);
const REMEDY = 'run: npm run readme';

describe('the table of variables', () => {
  test('in the README is the one that the service reads', async () => {
    const readme = await readFile(README, 'utf8');
    // Not `toBe` on the whole document: the message is to say what to do, not to show two READMEs.
    expect(withConfigurationTable(readme) === readme, REMEDY).toBe(true);
  });

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

  test('takes the place of an older one and leaves the rest of the document alone', () => {
    const before = '# A\n<!-- configuration -->\nold\n<!-- /configuration -->\n# B\n';
    const after = withConfigurationTable(before);
    expect(after).toBe(
      `# A\n<!-- configuration -->\n\n${configurationTable()}\n<!-- /configuration -->\n# B\n`,
    );
    expect(withConfigurationTable(after)).toBe(after);
    expect(() => withConfigurationTable('# A\n')).toThrow('<!-- configuration -->');
  });
});
