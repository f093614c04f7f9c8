/** The service in several processes, as its operators run it: with an event store and a chain of their own, and a bus if its server is there. */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChildArguments, ChildMessage } from 'levy-local-chain';
import { randomId } from '../../src/kernel/runtime/ids.ts';
import { fund } from '../../test/support/creator.ts';
import { secretsIn } from '../../test/support/secret-files.ts';
import { answerOf, ended } from './child.ts';
import { startEventStoreServer } from './event-store-server.ts';
import type { LeftOut } from './line.ts';
import { startNatsServer } from './nats-server.ts';
import { processorSecondsOf } from './processor-time.ts';
import { type RunningService, startService } from './service.ts';

export interface SeveralProcesses {
  /** Those that answer calls. */
  readonly apis: readonly [RunningService, ...RunningService[]];
  /** Of all processes since their start, those of the servers that were started here too. */
  processorSeconds(): { readonly [part: string]: number };
  stop(): Promise<void>;
}

/** As the embedded chain of the service. Milliseconds. */
const SLOT = 400;
const START_TIMEOUT = 60_000;
/** Rents and fees of everything that a benchmark does. Lamports. */
const FEE_PAYER_FUNDS = 10_000_000_000_000;

/** Resolves when all of them are ready: so many that answer, and one that settles and publishes. */
export async function openSeveralProcesses(
  folder: string,
  apiCount: number,
  environment: Readonly<Record<string, string>>,
): Promise<SeveralProcesses | LeftOut> {
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const one of stops.splice(0).reverse()) await one();
  };
  try {
    const images = join(folder, 'images');
    await mkdir(images, { recursive: true });
    const eventStore = await startEventStoreServer(folder);
    if ('leftOut' in eventStore) return eventStore;
    stops.push(eventStore.stop);
    const bus = await startNatsServer(folder);
    const hasBus = !('leftOut' in bus);
    if (hasBus) stops.push(bus.stop);
    const chain = await startChain(join(folder, 'chain'));
    stops.push(chain.stop);
    const { keyring, environment: secrets } = await secretsIn(folder);
    await fund(chain.url, keyring.feePayer.address, FEE_PAYER_FUNDS);

    const prefix = `bench_${randomId().slice(-12)}`;
    const start = async (name: string, own: Readonly<Record<string, string>>) => {
      const service = await startService(join(folder, name), {
        EVENT_STORE_URL: eventStore.url,
        EVENT_STORE_PREFIX: prefix,
        CHAIN_URL: chain.url,
        PUBLIC_URL: 'https://levy.example.com',
        IMAGE_STORE_URL: `file:${images}`,
        LEDGER_STORE_URL: `file:${images}-ledgers`,
        ...secrets,
        ...environment,
        ...own,
      });
      stops.push(service.stop);
      await isReady(service.url);
      return service;
    };
    const settler = await start('settler', {
      ROLES: 'settler,publisher',
      ...(hasBus ? { PUBLISHER_URL: `nats://127.0.0.1:${bus.port}` } : {}),
    });
    const apis: [RunningService, ...RunningService[]] = [await start('api-0', { ROLES: 'api' })];
    while (apis.length < apiCount) apis.push(await start(`api-${apis.length}`, { ROLES: 'api' }));
    return {
      apis,
      processorSeconds: () => {
        const ofStore = eventStore.processorSeconds();
        return {
          ...Object.fromEntries(apis.map(({ pid }, index) => [`api ${index + 1}`, processorSecondsOf(pid)])),
          'settler and publisher': processorSecondsOf(settler.pid),
          ...(Number.isNaN(ofStore) ? {} : { EventStoreDB: ofStore }),
          ...(hasBus ? { NATS: bus.processorSeconds() } : {}),
          chain: processorSecondsOf(chain.pid),
        };
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startChain(dataDir: string) {
  const given: ChildArguments = {
    dataDir,
    port: 0,
    nonces: true,
    slotMilliseconds: SLOT,
    programs: [],
    accountFiles: [],
    optionNames: { programs: 'programs', accountFiles: 'accountFiles' },
  };
  const child: ChildProcess = fork(
    new URL('../../packages/local-chain/dist/chain-process.js', import.meta.url),
    [JSON.stringify(given)],
    { execArgv: [] },
  );
  const message = (await answerOf(child, START_TIMEOUT)) as ChildMessage;
  if (message.kind !== 'listening') throw new Error(`the chain did not start: ${JSON.stringify(message)}`);
  return { url: `http://127.0.0.1:${message.port}`, pid: child.pid ?? 0, stop: () => ended(child) };
}

async function isReady(url: string): Promise<void> {
  const giveUpAt = performance.now() + START_TIMEOUT;
  while ((await fetch(`${url}/ready`)).status !== 200) {
    if (performance.now() > giveUpAt) throw new Error('a process of the service was not ready in time');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
