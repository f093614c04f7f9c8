/** Publishes an endless log on the NATS server at the given port, and prints how far it is, until it is killed. */
import { createNatsPublisher } from '../../src/adapters/nats/publisher.ts';
import { publishEndlessLog } from './endless-log.ts';

const publisher = createNatsPublisher({
  address: { servers: [`127.0.0.1:${process.argv[2]}`], tls: false, credentials: {} },
  stream: 'LEVY',
  subjectPrefix: '',
  groups: ['tokens', 'submissions'],
  replicas: 1,
  // So few that it takes a while.
  inFlight: 16,
});

await publishEndlessLog(
  publisher,
  Number.POSITIVE_INFINITY,
  (place) => process.stdout.write(`${place}\n`),
  5,
);
