/** Command `levy-local-chain`: runs a chain until a signal stops it. */
import { readFileSync } from 'node:fs';
import { HELP, parseCommand } from './command-arguments.ts';
import { type LocalChainOptions, LocalChainUnavailable, openLocalChain } from './local-chain.ts';

const STOPPED = 0;
const COULD_NOT_START = 1;
const REFUSED_ARGUMENTS = 2;

/** Resolves with the exit code after everything has ended. */
export async function runCommand(args: readonly string[]): Promise<number> {
  const command = parseCommand(args);
  switch (command.kind) {
    case 'help':
      process.stdout.write(HELP);
      return STOPPED;
    case 'version':
      process.stdout.write(`${versionOfPackage()}\n`);
      return STOPPED;
    case 'refused':
      process.stderr.write(`levy-local-chain: ${command.reason}\nTry \`levy-local-chain --help\`.\n`);
      return REFUSED_ARGUMENTS;
    case 'run':
      return await runChain(command.options);
  }
}

async function runChain(options: LocalChainOptions): Promise<number> {
  // Registered before the chain starts: an earlier signal must not leave the chain's process running alone.
  const stopped = nextSignal();
  try {
    const chain = await openLocalChain({
      ...options,
      log: (message) => process.stderr.write(`${message}\n`),
    });
    process.stdout.write(`Listening on ${chain.url}\n`);
    await stopped;
    await chain.close();
    return STOPPED;
  } catch (error) {
    if (!(error instanceof LocalChainUnavailable)) throw error;
    process.stderr.write(`levy-local-chain: ${error.message}\n`);
    return COULD_NOT_START;
  }
}

/** Resolves at the first signal. A second signal ends the process immediately, because no listener is left. */
function nextSignal(): Promise<void> {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  return new Promise((resolve) => {
    const stop = () => {
      for (const signal of signals) process.off(signal, stop);
      resolve();
    };
    for (const signal of signals) process.on(signal, stop);
  });
}

function versionOfPackage(): string {
  const manifest: { readonly version: string } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  );
  return manifest.version;
}
