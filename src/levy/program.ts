/** Builds the command `levy` with all its subcommands. */
import { Command } from 'commander';
import { VERSION } from '../app/version.ts';
import { auditCommand } from './audit-command.ts';
import { backupCommand } from './backup-command.ts';
import { checkCommand } from './check-command.ts';
import { eventsCommand } from './events-command.ts';
import { partnersCommand } from './partners-command.ts';
import { proveCommand } from './prove-command.ts';
import { replayCommand } from './replay-command.ts';
import { restoreCommand } from './restore-command.ts';
import { showCommand } from './show-command.ts';
import { createTerminal, type Terminal, type TerminalStreams, visibleText } from './terminal.ts';
import { verifyCommand } from './verify-command.ts';

const commands: readonly ((terminal: Terminal) => Command)[] = [
  auditCommand,
  backupCommand,
  checkCommand,
  eventsCommand,
  partnersCommand,
  proveCommand,
  replayCommand,
  restoreCommand,
  showCommand,
  verifyCommand,
];

/** `program.parseAsync` parses the arguments, and throws a `CommanderError` after printing the error. */
export function createProgram(streams: TerminalStreams): {
  readonly program: Command;
  readonly terminal: Terminal;
} {
  const program = new Command('levy');
  const terminal = createTerminal(streams, () => program.opts<{ json?: boolean }>().json === true);
  program
    .description(
      'Inspects, checks, backs up and restores a levy service and its log.\n\n' +
        'Name the log that a command reads: --store for the log of a stopped service (sqlite:<file>) or of a server ' +
        '(esdb://<host>), --service for a running one. Without either, EVENT_STORE_URL and DATA_DIR ' +
        'name the log, as for the service itself.',
    )
    .version(VERSION)
    .option('--json', 'print results as JSON, for programs')
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void streams.stdout.write(text),
      // The message quotes arguments, which may contain control characters.
      writeErr: (text) => void streams.stderr.write(text.split('\n').map(visibleText).join('\n')),
    })
    .showHelpAfterError('(see `levy help` or `levy help <command>`)')
    .addHelpText(
      'after',
      `
Exit codes: 0: done, all checks passed; 1: findings; 2: a check could not run, or the arguments are invalid.

Examples:
  $ levy check
      lists the problems that prevent startup
  $ levy events --follow --service http://127.0.0.1:3000 --operator-key-file key
      prints new events as they are recorded
  $ levy help events
      describes a command, with examples`,
    );
  for (const commandOf of commands) {
    const command = commandOf(terminal).copyInheritedSettings(program);
    for (const part of command.commands) part.copyInheritedSettings(command);
    program.addCommand(command);
  }
  return { program, terminal };
}
