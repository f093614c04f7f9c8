/** The table of environment variables, made from the list that the service reads. */
import { type Variable, variables } from '../config/variables.ts';
import { markdownTable } from './markdown.ts';

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
