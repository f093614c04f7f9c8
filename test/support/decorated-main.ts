/** The service as a process of its own, with something between it and its event store. */
import { pino } from 'pino';
import type { EventStore } from '../../src/kernel/ports/event-store.ts';
import type { Constants } from '../../src/operations/config/constants.ts';

/** Runs it in this process, in which nothing else runs. */
export async function runDecorated(
  decorateStore: (store: EventStore) => EventStore,
  constants: Partial<Constants> = {},
): Promise<void> {
  // What is compiled, as an operator runs it: only what decorates is not, so the chain's process needs no loader.
  process.execArgv.length = 0;
  const compiled = (file: string) => new URL(`../../dist/${file}`, import.meta.url).href;
  const { openService }: typeof import('../../src/app/open-service.ts') = await import(
    compiled('app/open-service.js')
  );
  const { readConfiguration }: typeof import('../../src/operations/config/configuration.ts') = await import(
    compiled('operations/config/configuration.js')
  );
  const service = await openService({
    configuration: readConfiguration(process.env, constants),
    log: pino({ level: 'warn' }, pino.destination(2)),
    decorateStore,
  });
  process.once('SIGTERM', () => void service.close().then(() => process.exit(0)));
  process.stdout.write(`listening on ${service.address}\nlocal chain on ${service.localChainUrl}\n`);
}
