/** Reports the driver's events about connections and commands to meters. */
import { type MongoClient, MongoServerError } from 'mongodb';
import type { ClientConnections, ClientMeter, CommandOutcome } from '../../kernel/ports/client-meter.ts';

export type MeteredClient = ReturnType<typeof meterClient>;

export function meterClient(client: MongoClient) {
  const meters = new Map<ClientMeter, () => void>();
  const connections = countConnections(client);
  // The driver reports whole milliseconds, and many commands take less than one.
  const started = new Map<number, number>();

  function finished(requestId: number, command: string, outcome: CommandOutcome): void {
    const since = started.get(requestId);
    started.delete(requestId);
    if (since === undefined) return;
    const seconds = (performance.now() - since) / 1000;
    for (const meter of meters.keys()) meter.commanded(command, outcome, seconds);
  }

  client.on('commandStarted', ({ requestId }) => {
    started.set(requestId, performance.now());
  });
  client.on('commandSucceeded', ({ requestId, commandName }) => {
    finished(requestId, commandName, 'answered');
  });
  client.on('commandFailed', ({ requestId, commandName, failure }) => {
    finished(requestId, commandName, failure instanceof MongoServerError ? 'refused' : 'unanswered');
  });
  client.on('connectionCheckOutFailed', ({ reason }) => {
    for (const meter of meters.keys()) meter.withoutConnection(reason);
  });

  return {
    /** Idempotent for each meter. */
    add(meter: ClientMeter): void {
      if (!meters.has(meter)) meters.set(meter, meter.watch(connections));
    },
    /** Must be called after the client is closed. */
    stop(): void {
      for (const stopWatching of meters.values()) stopWatching();
      meters.clear();
    },
  };
}

function countConnections(client: MongoClient): () => ClientConnections {
  let open = 0;
  let inUse = 0;
  let waiting = 0;
  client.on('connectionCreated', () => {
    open += 1;
  });
  client.on('connectionClosed', () => {
    open -= 1;
  });
  client.on('connectionCheckOutStarted', () => {
    waiting += 1;
  });
  client.on('connectionCheckOutFailed', () => {
    waiting -= 1;
  });
  client.on('connectionCheckedOut', () => {
    waiting -= 1;
    inUse += 1;
  });
  client.on('connectionCheckedIn', () => {
    inUse -= 1;
  });
  return () => ({ open, inUse, waiting });
}
