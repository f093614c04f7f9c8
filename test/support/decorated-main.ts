/**
 * The service as a process of its own, with something between it and its event store, and with those other constants that
 * TEST_CONSTANTS has in JSON.
 */
import { pino } from 'pino';
import { openService } from '../../src/app/open-service.ts';
import type { EventStore } from '../../src/kernel/ports/event-store.ts';
import { readConfiguration } from '../../src/operations/config/configuration.ts';

/** Runs it in this process, in which nothing else runs. */
export async function runDecorated(decorateStore: (store: EventStore) => EventStore): Promise<void> {
  const constants = JSON.parse(process.env.TEST_CONSTANTS ?? '{}', (_name, value) =>
    /^\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value,
  );
  const service = await openService({
    configuration: readConfiguration(process.env, constants),
    log: pino({ level: 'warn' }, pino.destination(2)),
    decorateStore,
  });
  process.once('SIGTERM', () => void service.close().then(() => process.exit(0)));
  process.stdout.write(`listening on ${service.address}\nlocal chain on ${service.localChainUrl}\n`);
}
