// The stream of outcomes on a NATS server, seen from outside, and publishers to it.
import { AckPolicy, createInbox, type NatsConnection } from 'nats';
import { onTestFinished } from 'vitest';
import { createNatsPublisher, type NatsPublisherOptions } from '../../src/adapters/nats/publisher.ts';
import type { Publisher } from '../../src/kernel/ports/publisher.ts';

export const STREAM = 'LEVY';
export const GROUPS = ['tokens', 'submissions', 'promotions', 'launches', 'distributions'];

export interface StoredMessage {
  readonly id: string;
  readonly name: string;
  readonly body: string;
}

/** Let go of when the test is over. */
export function natsPublisher(port: number, options: Partial<NatsPublisherOptions> = {}): Publisher {
  const publisher = createNatsPublisher({
    address: { servers: [`127.0.0.1:${port}`], tls: false, credentials: {} },
    stream: STREAM,
    subjectPrefix: '',
    groups: GROUPS,
    replicas: 1,
    ...options,
  });
  onTestFinished(() => publisher.release());
  return publisher;
}

/** All that the stream holds, in its order, as it stands now. Rejects if there is no such stream. */
export async function storedMessages(connection: NatsConnection, stream = STREAM): Promise<StoredMessage[]> {
  const manager = await connection.jetstreamManager();
  const { state } = await manager.streams.info(stream);
  const found: StoredMessage[] = [];
  if (state.messages === 0) return found;
  const inbox = createInbox();
  const messages = connection.subscribe(inbox);
  await manager.consumers.add(stream, { deliver_subject: inbox, ack_policy: AckPolicy.None });
  for await (const message of messages) {
    const id = message.headers?.get('Nats-Msg-Id') ?? '';
    found.push({ id, name: message.subject, body: message.string() });
    if (found.length === state.messages) break;
  }
  return found;
}
