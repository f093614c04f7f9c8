/** Listens for calls on a port, and for subscriptions on the port above, where clients look for them. */
import type { Chain } from './chain.ts';
import type { Gate } from './gate.ts';
import { openPubSubServer, type PubSubServer } from './pubsub-server.ts';
import { rpcMethods } from './rpc-methods.ts';
import { openRpcServer, type RpcHandler, type RpcServer } from './rpc-server.ts';

export interface Servers {
  /** The port of JSON-RPC; subscriptions use the next one. */
  readonly port: number;
  close(): Promise<void>;
}

interface ServersOptions extends Pick<RpcHandler, 'fatal' | 'fault'> {
  /** Calls wait before it; what runs already is done in the same turn. */
  readonly gate: Gate;
  /** Called with what does not work although users might expect it. */
  readonly report: (message: string) => void;
}

/** Number of attempts with other pairs of ports, if any ports will do. */
const MOST_TRIES = 20;
const LAST_PORT = 65_535;

/** Port 0 takes any two that are free. With a given port whose next is taken, calls are answered, and there are no subscriptions. */
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
      if (calls.port === LAST_PORT) throw new Error('there is no port above');
      return both(calls, await openPubSubServer(calls.port + 1, chain, troubles.fault));
    } catch (error) {
      if (port === 0 && tries < MOST_TRIES) {
        await calls.close();
        continue;
      }
      const reason = error instanceof Error ? error.message : String(error);
      report(`no WebSocket on port ${calls.port + 1}, so that nothing can be subscribed to: ${reason}`);
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
