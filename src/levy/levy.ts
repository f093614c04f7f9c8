#!/usr/bin/env node
/** The command `levy`: for operators, and for auditors. */
import { CommanderError } from 'commander';
import { OperatorError } from '../kernel/ports/errors.ts';
import { createProgram } from './program.ts';
import { EXIT, ReaderGone } from './terminal.ts';

// Files are readable by their owner only, wherever they are written.
process.umask(0o077);

const { program, terminal } = createProgram(process);

async function run(): Promise<number> {
  try {
    await program.parseAsync();
    return terminal.exitCode;
  } catch (error) {
    // Commander has said why.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.held : EXIT.couldNotLook;
    if (error instanceof ReaderGone) return terminal.exitCode;
    terminal.note(...`levy: ${await explained(error)}`.split('\n'));
    return EXIT.couldNotLook;
  }
}

/** An error that an operator can fix is printed as a sentence, without a stack. */
async function explained(error: unknown): Promise<string> {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof OperatorError) return error.message;
  // Loads what a start needs.
  const { isForTheOperator } = await import('../app/open-service.ts');
  return isForTheOperator(error) ? error.message : (error.stack ?? error.message);
}

// Connections that a library keeps open must not keep the command from ending; what a pipe has not taken yet, it still gets.
run().then(async (code) => {
  await terminal.written();
  process.exit(code);
});
