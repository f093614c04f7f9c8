/** The one connection of a publisher, made anew when it has ended. */
import type { NatsConnection } from 'nats';
import { PublisherUnavailable } from '../../kernel/ports/publisher.ts';
import { connectToNats, type NatsConnectionOptions } from './connection.ts';
import { gone, notAllowed } from './refusals.ts';

export interface BusConnection {
  /** Rejects, and keeps no new connection, if nobody wants it any more when it is made. */
  open(signal: AbortSignal, isWanted: () => boolean): Promise<NatsConnection>;
  /** Undefined while there is none, or it is closed. */
  current(): NatsConnection | undefined;
  /** How many have been made. */
  count(): number;
}

/** `ended` is called when the current connection is closed, or shows that it cannot be used. */
export function createBusConnection(
  options: NatsConnectionOptions,
  ended: (error: Error) => void,
): BusConnection {
  let connection: NatsConnection | undefined;
  let connections = 0;

  function current(): NatsConnection | undefined {
    return connection?.isClosed() === false ? connection : undefined;
  }

  /** The server does not answer forbidden messages: without this it would look like a stalled server. */
  async function watchPermissions(made: NatsConnection): Promise<void> {
    for await (const { permissionContext: context } of made.status()) {
      if (context === undefined || made !== connection) continue;
      ended(notAllowed(context));
    }
  }

  return {
    current,
    count: () => connections,
    async open(signal, isWanted) {
      const open = current();
      if (open !== undefined) return open;
      const made = await connectToNats(options, signal);
      connections += 1;
      if (!isWanted()) {
        await made.close();
        throw new PublisherUnavailable('it was given up');
      }
      connection = made;
      made.closed().then((error) => {
        if (made === connection) ended(gone(error));
      });
      void watchPermissions(made);
      return made;
    },
  };
}
