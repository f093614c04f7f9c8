/** Reads the demo's messages on NATS, as a downstream system does. */
import { AckPolicy, connect, DeliverPolicy } from 'nats';
import { natsAddress } from '../../src/operations/config/nats-address.ts';

export interface Published {
  readonly subject: string;
  /** Id of the event, which is also the id of the message. */
  readonly id: string;
}

/** Reads all messages of the stream, in order. `url` and `caFile` have the form of `PUBLISHER_URL` and `CA_FILE`. */
export async function readPublished(
  url: string,
  stream: string,
  caFile: string | undefined,
): Promise<readonly Published[]> {
  // The library does not read user and password from the address.
  const { servers, tls, credentials } = natsAddress.parse(url);
  const encrypted = tls || caFile ? { tls: caFile ? { caFile } : {} } : {};
  const connection = await connect({ servers: [...servers], ...credentials, ...encrypted });
  try {
    const { consumers } = connection.jetstream();
    const manager = await connection.jetstreamManager();
    const { name } = await manager.consumers.add(stream, {
      ack_policy: AckPolicy.None,
      deliver_policy: DeliverPolicy.All,
      inactive_threshold: 10_000_000_000,
    });
    const consumer = await consumers.get(stream, name);
    const published: Published[] = [];
    for (let left = (await consumer.info()).num_pending; left > 0; left -= 1) {
      const message = await consumer.next();
      if (message === null) break;
      published.push({ subject: message.subject, id: message.headers?.get('Nats-Msg-Id') ?? '' });
    }
    return published;
  } finally {
    await connection.close();
  }
}
