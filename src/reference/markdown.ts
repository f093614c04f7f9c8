/** Writes tables in Markdown. */

/** Ends with a line end. A bar within a cell is escaped. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |\n`)
    .join('');
}

/** Formats the texts as code, separated by commas. */
export function codeList(texts: readonly string[]): string {
  return texts.map((text) => `\`${text}\``).join(', ');
}
