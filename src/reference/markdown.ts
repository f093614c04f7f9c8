/** Tables for the README, and where in it they stand. */

/** Markdown, ending with a line end. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |\n`)
    .join('');
}

/** The document with the text between the markers of that name brought up to date. Throws if the markers are not there. */
export function withSection(markdown: string, name: string, text: string): string {
  const [opening, closing] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [start, end] = [markdown.indexOf(opening), markdown.indexOf(closing)];
  if (start === -1 || end < start) throw new Error(`the document needs the lines ${opening} and ${closing}`);
  return `${markdown.slice(0, start + opening.length)}\n\n${text}\n${markdown.slice(end)}`;
}
