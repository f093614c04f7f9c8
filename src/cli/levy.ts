#!/usr/bin/env node
/** The command `levy`: looks at a service's log, checks it, and moves it. One file in `levy/` for each of its commands. */
import { Command, CommanderError } from 'commander';
import { VERSION } from '../app/version.ts';
import { OperatorError } from '../ports/operator-error.ts';
import { eventsCommand } from './levy/events-command.ts';
import { rebuildCommand } from './levy/rebuild-command.ts';
import { replayCommand } from './levy/replay-command.ts';
import { serveCommand } from './levy/serve-command.ts';
import { createTerminal, EXIT, ReaderGone } from './levy/terminal.ts';

// Files are readable by their owner only, wherever they are written.
process.umask(0o077);

const program = new Command('levy');
const terminal = createTerminal(process, () => program.opts<{ json?: boolean }>().json === true);

program
  .description('Look at the log of a levy service, check it, and move it.')
  .version(VERSION)
  .option('--json', 'print the result as JSON')
  .exitOverride()
  .showHelpAfterError('(levy --help, or levy <command> --help, says more)')
  .addHelpText(
    'after',
    `
Exit codes: 0 everything holds, 1 something was found, 2 it could not look.

Examples:
  levy events                        the log of this folder's stopped service
  levy help events                   what a command does, and how`,
  );

for (const command of [
  eventsCommand(terminal),
  rebuildCommand(terminal),
  replayCommand(terminal),
  serveCommand(terminal),
]) {
  program.addCommand(command.copyInheritedSettings(program));
}

async function main(): Promise<number> {
  try {
    await program.parseAsync();
    return terminal.exitCode;
  } catch (error) {
    // Commander has said why.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.held : EXIT.couldNotLook;
    if (error instanceof ReaderGone) return EXIT.held;
    terminal.note(`levy: ${await explained(error)}`);
    return EXIT.couldNotLook;
  }
}

/** What an operator can fix is told in a sentence, without a stack. */
async function explained(error: unknown): Promise<string> {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof OperatorError) return error.message;
  const { isForTheOperator } = await import('../app/open-service.ts');
  return isForTheOperator(error) ? error.message : (error.stack ?? error.message);
}

// Connections that a library keeps open must not keep the command from ending.
main().then((code) => process.exit(code));
