/** `levy check`: lists everything that prevents startup. */
import type { Command } from 'commander';
import type { PartReport, StartReport } from './check.ts';
import { LevyCommand } from './levy-command.ts';
import type { Terminal } from './terminal.ts';

export function checkCommand(terminal: Terminal): Command {
  return new LevyCommand('check')
    .summary('list everything that prevents startup')
    .description(
      'Checks everything that the service needs to start in the same environment: the configuration, ' +
        'the log (every page and event, if it is a file), the secrets, the read models, the chain, folders, the bus, and the ' +
        'addresses to listen on. It writes nothing. Exit code 0: the service can start; 1: there are obstacles. ' +
        'If DATA_DIR is a backup, the backup is checked instead: 0: intact; 1: a file is missing or damaged.',
    )
    .examples(`
  $ levy check
      with the environment of this shell
  $ env $(grep -v '^#' levy.env) levy check
      with the environment of a file, before the first start
  $ docker run --rm --env-file levy.env -v levy-data:/var/lib/levy levy levy check
      in a container like the one that would be started
  $ DATA_DIR=/backup/2026-05-04 levy check
      checks a backup
  $ levy check --json | jq -r '.parts[].obstacles[].problem'
      only the obstacles`)
    .action(async () => {
      // Loaded on demand: the help does not need the service's modules.
      const { check } = await import('./check.ts');
      const report = await check(process.env, terminal.progress('checking', 'events'));
      await terminal.result(report, reportLines(report));
      if (!report.holds) terminal.foundSomething();
    });
}

export function reportLines(report: StartReport): readonly string[] {
  const width = Math.max(...report.parts.map(({ part }) => part.length)) + 2;
  return [...report.parts.flatMap((part) => partLines(part, width)), '', verdictOf(report)];
}

function verdictOf({ parts, holds, isBackup }: StartReport): string {
  if (isBackup)
    return holds ? 'The backup is intact; restore it with `levy restore`.' : 'The backup has faults.';
  if (holds) return 'The service can start.';
  const { length } = parts.flatMap((part) => part.obstacles);
  return `${length === 1 ? 'One obstacle prevents' : `${length} obstacles prevent`} startup.`;
}

function partLines({ part, outcome, remarks, obstacles }: PartReport, width: number): readonly string[] {
  const remark = remarks.length === 0 ? '' : `: ${remarks.join('; ')}`;
  return [`${part.padEnd(width)}${outcome}${remark}`, ...obstacles.map(({ problem }) => `  - ${problem}`)];
}
