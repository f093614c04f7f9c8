/** The child process that holds a local chain: one folder, one port. It ends with its parent. */

import { type Chain, openChain } from './chain.ts';
import type { ChildMessage } from './child-messages.ts';
import { LedgerInUse } from './ledger.ts';
import { rpcMethods } from './rpc-methods.ts';
import { openRpcServer, type RpcServer } from './rpc-server.ts';

const [dataDir, port, slotMilliseconds] = process.argv.slice(2);

let chain: Chain | undefined;
let server: RpcServer | undefined;

// The pipe closes with the parent, however that ended; there is nobody to serve then.
process.on('disconnect', () => void stop());
process.on('message', (message) => {
  if (message === 'stop') void stop();
});
// A terminal sends these to the whole group; the parent decides when the chain stops.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});

// The parent may have gone while the modules were loading, before anybody listened for it.
if (!process.connected) void stop();

start().catch((error: unknown) => {
  tell({ kind: 'failed', reason: reasonOf(error) });
  process.exitCode = 1;
  void stop();
});

function reasonOf(error: unknown): string {
  if (error instanceof LedgerInUse) {
    return `the local chain's data folder ${dataDir} is in use by another process`;
  }
  return error instanceof Error ? error.message : String(error);
}

async function start(): Promise<void> {
  if (dataDir === undefined || port === undefined || slotMilliseconds === undefined) {
    throw new Error('usage: chain-process <data folder> <port> <milliseconds of a slot>');
  }
  const opened = await openChain(dataDir, Number(slotMilliseconds));
  chain = opened;
  server = await openRpcServer(Number(port), {
    call: (method, params) => rpcMethods.get(method)?.(opened, params),
    durable: () => opened.ledger.durable(),
    fatal: (error) => {
      console.error(error);
      process.exit(1);
    },
    fault: (error) => console.error(error),
  });
  tell({ kind: 'listening', port: server.port });
}

async function stop(): Promise<void> {
  await server?.close();
  chain?.ledger.close();
  process.exit();
}

function tell(message: ChildMessage): void {
  if (process.connected) process.send?.(message);
}
