import { describe } from 'vitest';
import { publisherContract } from '../contracts/publisher.contract.ts';
import { natsPublisher, storedMessages } from '../support/nats-bus.ts';
import { hasNatsServer, startNatsServer, tellOfSkippedNats } from '../support/nats-server.ts';

tellOfSkippedNats(9);

describe.skipIf(!hasNatsServer)('with a server', () => {
  publisherContract('NATS', async () => {
    const server = await startNatsServer();
    const connection = await server.connect();
    return {
      publisher: () => natsPublisher(server.port),
      messages: () => storedMessages(connection),
    };
  });
});
