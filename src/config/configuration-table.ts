/** The README's table of variables, made from the list that the service reads. */
import { type Variable, variables } from './variables.ts';

const START = '<!-- configuration -->';
const END = '<!-- /configuration -->';

/** Markdown, ending with a line end. */
export function configurationTable(): string {
  const rows = Object.values<Variable>(variables).map((variable) => [
    `\`${variable.name}\``,
    'text' in variable.default ? `\`${variable.default.text}\`` : variable.default.shown,
    variable.kind.allowed,
    variable.kind.unit,
    variable.meaning,
  ]);
  const head = ['Variable', 'Default', 'Allowed', 'Unit', 'Meaning'];
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map(inCell).join(' | ')} |\n`)
    .join('');
}

/** The document with the table between its two markers brought up to date. Throws if the markers are not there. */
export function withConfigurationTable(markdown: string): string {
  const [start, end] = [markdown.indexOf(START), markdown.indexOf(END)];
  if (start === -1 || end < start) throw new Error(`the document needs the lines ${START} and ${END}`);
  return `${markdown.slice(0, start + START.length)}\n\n${configurationTable()}\n${markdown.slice(end)}`;
}

function inCell(text: string): string {
  return text.replaceAll('|', '\\|');
}
