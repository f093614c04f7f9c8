/** The `levy` commands that a how-to guide of operators prints, as they stand there. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PAGES = fileURLToPath(new URL('../../docs/how-to/operate/', import.meta.url));

export function printedCommands(page: string): readonly string[] {
  const text = readFileSync(`${PAGES}${page}.md`, 'utf8');
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  const commands = blocks
    .flatMap((block) => block.split('\n'))
    .filter((line) => /^(\w+=\S+ )?npx levy /.test(line));
  if (commands.length === 0) throw new Error(`${page}.md prints no command`);
  return commands;
}
