#!/usr/bin/env node
/** Starts the local chain from a shell. Committed as JavaScript, since npm links a command before anything is built. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const command = import.meta.resolve('levy-local-chain/command');

if (existsSync(fileURLToPath(command))) {
  const { runCommand } = await import(command);
  process.exitCode = await runCommand(process.argv.slice(2));
} else {
  process.stderr.write(
    'levy-local-chain is not built: run `npm ci --ignore-scripts && npm run build` in the root of its repository first\n',
  );
  process.exitCode = 1;
}
