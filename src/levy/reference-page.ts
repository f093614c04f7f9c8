/** Generates the reference page of the command `levy` from its help. */
import type { Command } from 'commander';

export function commandPage(program: Command): { readonly file: string; readonly text: string } {
  // Fixed to the default width of the help, so that the page does not depend on the terminal.
  const wide = { getOutHelpWidth: () => 100, getOutHasColors: () => false };
  const helpOf = (command: Command) => {
    const parts: string[] = [];
    command.configureOutput({ ...wide, writeOut: (part) => void parts.push(part) }).outputHelp();
    return `\`\`\`text\n${parts.join('').trimEnd()}\n\`\`\``;
  };
  const commands = [...program.commands].sort((a, b) => (a.name() < b.name() ? -1 : 1));
  const parts = [
    '# The `levy` command',
    '<!-- Written by `npm run docs` from the code. Do not edit it by hand. -->',
    'In a checkout it is `npx levy` (after `npm ci`, which builds it), in the image `levy`. Guides:\n' +
      '[Inspect the log](../how-to/operate/inspect-the-log.md), [Run preflight checks](../how-to/operate/run-preflight-checks.md).',
    helpOf(program),
    ...commands.flatMap((command) => [
      `## levy ${command.name()}`,
      helpOf(command),
      ...command.commands.flatMap((part) => [`### levy ${command.name()} ${part.name()}`, helpOf(part)]),
    ]),
  ];
  return { file: 'levy-command.md', text: `${parts.join('\n\n')}\n` };
}
