/** Child process that runs a local chain: one folder, one port. It ends with its parent. */

import { type Chain, openChain } from './chain.ts';
import type { ChildArguments, ChildMessage, ParentMessage } from './child-messages.ts';
import { Gate } from './gate.ts';
import { LedgerInUse } from './ledger.ts';
import { openServers, type Servers } from './servers.ts';

const given = JSON.parse(process.argv[2] ?? '{}') as ChildArguments;

let chain: Chain | undefined;
let server: Servers | undefined;
const gate = new Gate();

// The pipe closes when the parent ends for any reason; then no client is left.
process.on('disconnect', () => void stop());
process.on('message', (message: ParentMessage) => {
  if (message.kind === 'stop') void stop();
  else if (message.kind === 'copy') copyTo(message.target);
  else if (message.kind === 'release') gate.release();
  else {
    gate.hold();
    tell({ kind: 'held' });
  }
});
// A terminal sends these signals to the whole process group; the parent decides when the chain stops.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});

// The parent may have ended before the listener was registered.
if (!process.connected) void stop();

start().catch((error: unknown) => {
  tell({ kind: 'failed', reason: reasonOf(error) });
  process.exitCode = 1;
  void stop();
});

function reasonOf(error: unknown): string {
  if (error instanceof LedgerInUse) {
    return `the local chain's data folder ${given.dataDir} is in use by another process`;
  }
  return error instanceof Error ? error.message : String(error);
}

async function start(): Promise<void> {
  const opened = await openChain({ ...given, report: (message) => console.error(message) });
  chain = opened;
  server = await openServers(given.port, opened, {
    gate,
    fatal: (error) => {
      console.error(error);
      process.exit(1);
    },
    fault: (error) => console.error(error),
    report: (message) => console.error(message),
  });
  tell({ kind: 'listening', port: server.port });
}

function copyTo(target: string): void {
  try {
    if (chain === undefined) throw new Error('the chain is still starting');
    chain.ledger.copyTo(target);
    tell({ kind: 'copied', target });
  } catch (error) {
    tell({ kind: 'copied', target, reason: reasonOf(error) });
  }
}

async function stop(): Promise<void> {
  await server?.close();
  chain?.ledger.close();
  process.exit();
}

function tell(message: ChildMessage): void {
  if (process.connected) process.send?.(message);
}
