/** `levy check`: everything that keeps the service from starting, all at once. */
import { Command } from 'commander';
import type { PartReport } from '../app/check-start.ts';
import type { checkDataFolder, FolderReport } from './check-data-folder.ts';
import type { Terminal } from './terminal.ts';

/** Loads what a start needs only when it is asked for: the help needs none of it. */
const checkOnDemand = async (...given: Parameters<typeof checkDataFolder>): Promise<FolderReport> =>
  (await import('./check-data-folder.ts')).checkDataFolder(...given);

export function checkCommand(terminal: Terminal, check = checkOnDemand): Command {
  return new Command('check')
    .summary('list all obstacles to a start at once')
    .description(
      'Checks everything that a start with the same environment needs: the configuration, ' +
        'the log (every page and event of a file), the secrets, the read models, the chain, folders, the bus, and the ' +
        'addresses to listen on. It writes nothing. Exit code 0: the service can start; 1: there are obstacles. ' +
        'If DATA_DIR is a backup, the backup is checked instead: 0: it is sound; 1: something is missing or damaged.',
    )
    .option('--deep', 'decode every event of a log on a server as well; those in a file are decoded anyway')
    .addHelpText(
      'after',
      `
Examples:
  $ levy check
      with the environment of this shell
  $ env $(grep -v '^#' levy.env) levy check
      with that of a file, before the first start
  $ docker run --rm --env-file levy.env -v levy-data:/var/lib/levy levy levy check
      in a container like the one that would be started
  $ DATA_DIR=/backup/2026-05-04 levy check
      whether a backup is sound
  $ levy check --json | jq -r '.parts[].obstacles[].command // empty'
      only the commands that make missing secrets`,
    )
    .action(async ({ deep }: { readonly deep?: boolean }) => {
      const progress = terminal.progress('checking', 'events');
      const report = await check(process.env, { progress: progress.at, isDeep: deep === true });
      progress.clear();
      await terminal.out(...(terminal.json ? [JSON.stringify(report)] : reportLines(report)));
      if (!report.holds) terminal.foundSomething();
    });
}

export function reportLines({ parts, holds, isBackup }: FolderReport): readonly string[] {
  const width = Math.max(...parts.map(({ part }) => part.length)) + 2;
  const obstacles = parts.flatMap((part) => part.obstacles);
  const commands = obstacles.flatMap(({ command }) => command ?? []);
  const lines = parts.flatMap((report) => partLines(report, width));
  if (isBackup)
    return [
      ...lines,
      '',
      holds ? 'The backup is sound: restore it with `levy restore`.' : 'The backup has faults.',
    ];
  if (holds) return [...lines, '', 'Nothing keeps the service from starting.'];
  const count = obstacles.length === 1 ? 'One obstacle keeps' : `${obstacles.length} obstacles keep`;
  return [
    ...lines,
    '',
    `${count} the service from starting.`,
    ...(commands.length === 0
      ? []
      : ['', 'What is missing is made by:', ...commands.map((each) => `  ${each}`)]),
  ];
}

function partLines({ part, outcome, remarks, obstacles }: PartReport, width: number): readonly string[] {
  const remark = remarks.length === 0 ? '' : `: ${remarks.join('; ')}`;
  return [`${part.padEnd(width)}${outcome}${remark}`, ...obstacles.map(({ problem }) => `  - ${problem}`)];
}
