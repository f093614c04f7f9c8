/** The README's table of variables, made from the list that the service reads. */

import { type Variable, variables } from '../config/variables.ts';
import { markdownTable, withSection } from './markdown.ts';

/** Markdown, ending with a line end. */
export function configurationTable(): string {
  const rows = Object.values<Variable>(variables).map((variable) => [
    `\`${variable.name}\``,
    'text' in variable.default ? `\`${variable.default.text}\`` : variable.default.shown,
    variable.kind.allowed,
    variable.kind.unit,
    variable.meaning,
  ]);
  return markdownTable(['Variable', 'Default', 'Allowed', 'Unit', 'Meaning'], rows);
}

/** The document with the table between its two markers brought up to date. Throws if the markers are not there. */
export function withConfigurationTable(markdown: string): string {
  return withSection(markdown, 'configuration', configurationTable());
}
