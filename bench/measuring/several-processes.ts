/** The service in several processes on one event store and one chain, as its operators run it; the bus is there if its server is. */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChildArguments, ChildMessage } from '../../src/chain/local/child-messages.ts';
import { randomId } from '../../src/runtime/ids.ts';
import { fund } from '../../test/support/creator.ts';
import { secretsIn } from '../../test/support/secret-files.ts';
import { answerOf, ended } from './child.ts';
import type { EventStoreServer } from './event-store-server.ts';
import { startNatsServer } from './nats-server.ts';
import { processorSecondsOf } from './processor-time.ts';
import { type RunningService, startService } from './service.ts';

export interface SeveralProcesses {
  /** Starts one that answers calls, in the folder that it had if there was one of this name before. Resolves when it is ready. */
  startApi(name: string): Promise<RunningService>;
  /** Of the processes besides those. Seconds since their start; NaN where the system does not tell. */
  processorSeconds(): { readonly [part: string]: number };
  stop(): Promise<void>;
}

/** As the embedded chain of the service. Milliseconds. */
const SLOT = 400;
const START_TIMEOUT = 60_000;
/** Rents and fees of everything that a benchmark does. Lamports. */
const FEE_PAYER_FUNDS = 10_000_000_000_000;

export async function openSeveralProcesses(
  folder: string,
  eventStore: EventStoreServer,
  environment: Readonly<Record<string, string>>,
): Promise<SeveralProcesses> {
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const one of stops.splice(0).reverse()) await one();
  };
  try {
    const images = join(folder, 'images');
    await mkdir(images, { recursive: true });
    const { keyring, environment: secrets } = await secretsIn(folder);
    const chain = await startChain(join(folder, 'chain'));
    stops.push(chain.stop);
    await fund(chain.url, keyring.feePayer.address, FEE_PAYER_FUNDS);
    const bus = await startNatsServer(folder);
    if (!('leftOut' in bus)) stops.push(bus.stop);

    const common = {
      EVENT_STORE_URL: eventStore.url,
      EVENT_STORE_PREFIX: `bench_${randomId().slice(-12)}`,
      CHAIN_URL: chain.url,
      PUBLIC_URL: 'https://levy.example.com',
      IMAGE_STORE_URL: `file:${images}`,
      ...secrets,
      ...environment,
    };
    const start = async (name: string, own: Readonly<Record<string, string>>) => {
      const service = await startService(join(folder, name), { ...common, ...own });
      stops.push(service.stop);
      await isReady(service.url);
      return service;
    };
    const settler = await start('settler', {
      ROLES: 'settler,publisher',
      ...('leftOut' in bus ? {} : { PUBLISHER_URL: `nats://127.0.0.1:${bus.port}` }),
    });
    return {
      startApi: (name) => start(name, { ROLES: 'api' }),
      processorSeconds: () => ({
        'settler and publisher': processorSecondsOf(settler.pid),
        EventStoreDB: eventStore.processorSeconds(),
        ...('leftOut' in bus ? {} : { NATS: bus.processorSeconds() }),
        chain: processorSecondsOf(chain.pid),
      }),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startChain(dataDir: string) {
  const given: ChildArguments = { dataDir, port: 0, slotMilliseconds: SLOT, programs: [], accountFiles: [] };
  const child: ChildProcess = fork(
    new URL('../../dist/chain/local/chain-process.js', import.meta.url),
    [JSON.stringify(given)],
    { execArgv: [] },
  );
  const message = (await answerOf(child, START_TIMEOUT)) as ChildMessage;
  if (message.kind === 'failed') throw new Error(`the chain did not start: ${message.reason}`);
  return { url: `http://127.0.0.1:${message.port}`, pid: child.pid ?? 0, stop: () => ended(child) };
}

async function isReady(url: string): Promise<void> {
  const giveUpAt = performance.now() + START_TIMEOUT;
  while ((await fetch(`${url}/ready`)).status !== 200) {
    if (performance.now() > giveUpAt) throw new Error('a process of the service was not ready in time');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
