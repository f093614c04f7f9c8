// Publishing of a real log on a real NATS server, by as many as the test wants.
import { onTestFinished } from 'vitest';
import type { NatsPublisherOptions } from '../../../src/adapters/nats/publisher.ts';
import type { EventStore } from '../../../src/kernel/ports/event-store.ts';
import { loggerTo } from '../../../src/kernel/ports/logger.ts';
import { createEventCodec } from '../../../src/kernel/runtime/event-codec.ts';
import { strictReader } from '../../../src/kernel/runtime/event-reader.ts';
import {
  type Publishing,
  startPublishing,
} from '../../../src/server/delivery/publishing/start-publishing.ts';
import { ImageStored } from '../../../src/streams/image-upload.ts';
import { categoryOfType, streams } from '../../../src/streams/index.ts';
import { addresses } from '../../support/domain-examples.ts';
import { eventually } from '../../support/eventually.ts';
import { record, someToken } from '../../support/feeding.ts';
import { natsPublisher, storedMessages } from '../../support/nats-bus.ts';
import type { NatsServer } from '../../support/nats-server.ts';

const codec = createEventCodec(streams);

/** Milliseconds; so that tests need not wait for what the service has time for. */
const IMPATIENT = { ackTimeout: 400, timeout: 400 } as const;

export interface OwnPublishing extends Publishing {
  readonly reports: readonly string[];
  /** Resolves when everything that is in the log is on the bus, as far as it knows. */
  caughtUp(): Promise<void>;
}

/** Stopped when the test is over. */
export function publishing(
  store: EventStore,
  port: number,
  options: Partial<NatsPublisherOptions> = {},
  reader = strictReader(codec),
): OwnPublishing {
  const reports: string[] = [];
  const own = startPublishing({
    store,
    reader,
    categoryOfType,
    publisher: natsPublisher(port, { ...IMPATIENT, ...options }),
    retryPauses: [10, 50],
    logger: loggerTo((message, details) => reports.push(`${message}: ${JSON.stringify(details)}`)),
  });
  onTestFinished(() => own.stop());
  return {
    ...own,
    reports,
    async caughtUp() {
      await eventually('everything is on the bus', async () => {
        const { position } = own.status();
        return position !== undefined && position >= (await store.head());
      });
    },
  };
}

/** Outcomes, and now and then something of which nobody is told. */
export async function recordTokens(store: EventStore, count: number): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, async (_, made) => {
      await record(store, someToken());
      if (made % 7 === 0) await record(store, anImage());
    }),
  );
}

/** Nobody is told of it. */
export function anImage() {
  return ImageStored({
    cid: 'bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy',
    uploader: addresses.creator,
    byteLength: 1_000,
  });
}

/** What the bus has to hold: the ids of all outcomes in the log, in its order. */
export async function outcomeIds(store: EventStore): Promise<readonly string[]> {
  const ids: string[] = [];
  const { signal } = new AbortController();
  for await (const message of store.subscribe({ after: '', signal })) {
    if (message.kind === 'caught-up') break;
    if (message.kind === 'event' && message.event.type === 'TokenCreated') ids.push(message.event.id);
  }
  return ids;
}

/** What it does hold. */
export async function publishedIds(server: NatsServer, stream?: string): Promise<readonly string[]> {
  const connection = await server.connect();
  const messages = await storedMessages(connection, stream);
  await connection.close();
  return messages.map(({ id }) => id);
}
