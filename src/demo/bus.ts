/** What a downstream system sees of the demo on NATS. */
import { AckPolicy, connect, DeliverPolicy } from 'nats';

export interface Published {
  readonly subject: string;
  /** Of the event: the id of the message as well. */
  readonly id: string;
}

/** Everything in the stream, in order. */
export async function readPublished(url: string, stream: string): Promise<readonly Published[]> {
  const connection = await connect({ servers: url.replaceAll('nats://', '').split(',') });
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
