/** Listens for calls on a port, and for subscriptions on the next port, where clients expect them. */
import type { Chain } from './chain.ts';
import type { Gate } from './gate.ts';
import { openPubSubServer, type PubSubServer } from './pubsub-server.ts';
import { rpcMethods } from './rpc-methods.ts';
import { openRpcServer, type RpcHandler, type RpcServer } from './rpc-server.ts';

export interface Servers {
  /** Port of JSON-RPC; subscriptions use the next port. */
  readonly port: number;
  close(): Promise<void>;
}

interface ServersOptions extends Pick<RpcHandler, 'fatal' | 'fault'> {
  /** Pauses calls; a call that already runs ends in the same event loop turn. */
  readonly gate: Gate;
  /** Receives warnings about missing features that users might expect. */
  readonly report: (message: string) => void;
}

/** Maximum number of attempts to find two consecutive free ports for port 0. */
const MAX_TRIES = 20;
const LAST_PORT = 65_535;

/** Port 0 selects two free ports. If the next port after a given one is in use, calls work, but subscriptions do not. */
export async function openServers(
  port: number,
  chain: Chain,
  { gate, report, ...troubles }: ServersOptions,
): Promise<Servers> {
  const run = (method: string, params: readonly unknown[]) => rpcMethods.get(method)?.(chain, params);
  for (let tries = 1; ; tries += 1) {
    const calls = await openRpcServer(port, {
      call: (method, params) =>
        gate.isHeld ? gate.passed().then(() => run(method, params)) : run(method, params),
      durable: () => chain.ledger.durable(),
      ...troubles,
    });
    try {
      if (calls.port === LAST_PORT) throw new Error('the port must be below 65535');
      return both(calls, await openPubSubServer(calls.port + 1, chain, troubles.fault));
    } catch (error) {
      if (port === 0 && tries < MAX_TRIES) {
        await calls.close();
        continue;
      }
      const reason = error instanceof Error ? error.message : String(error);
      report(`no WebSocket on port ${calls.port + 1}, so subscriptions are unavailable: ${reason}`);
      return calls;
    }
  }
}

function both(calls: RpcServer, subscriptions: PubSubServer): Servers {
  return {
    port: calls.port,
    async close() {
      await Promise.all([calls.close(), subscriptions.close()]);
    },
  };
}
