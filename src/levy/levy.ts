#!/usr/bin/env node
/** Entry point of the command `levy`, for operators and auditors. */
import { CommanderError } from 'commander';
import { OperatorError } from '../kernel/ports/errors.ts';
import { createProgram } from './program.ts';
import { EXIT, OutputClosed } from './terminal.ts';

// Makes all written files readable by their owner only.
process.umask(0o077);

const { program, terminal } = createProgram(process);

async function run(): Promise<number> {
  try {
    await program.parseAsync();
    return terminal.exitCode;
  } catch (error) {
    // Commander has printed the error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.held : EXIT.unchecked;
    if (error instanceof OutputClosed) return terminal.exitCode;
    terminal.note(...`levy: ${await explained(error)}`.split('\n'));
    return EXIT.unchecked;
  }
}

/** An error that an operator can fix is printed as a sentence, without a stack. */
async function explained(error: unknown): Promise<string> {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof OperatorError) return error.message;
  // Imported on demand, because it loads the service's modules.
  const { isForTheOperator } = await import('../app/open-service.ts');
  return isForTheOperator(error) ? error.message : (error.stack ?? error.message);
}

// Exits explicitly, because open connections of a library would keep the process alive; buffered output is written
// first.
run().then(async (code) => {
  await terminal.written();
  process.exit(code);
});
