/**
 * The service in several processes, as operators run it: with a separate event store and chain, and a bus if its
 * server is available.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChildArguments, ChildMessage } from 'levy-local-chain';
import { randomId } from '../../src/kernel/runtime/ids.ts';
import { fund } from '../../test/support/creator.ts';
import { secretsIn } from '../../test/support/secret-files.ts';
import { answerOf, ended } from './child.ts';
import { type StoreCalls, startEventStoreOrStandIn } from './event-store-server.ts';
import type { LeftOut } from './line.ts';
import { startMongoServer } from './mongo-server.ts';
import { startNatsServer } from './nats-server.ts';
import { processorSecondsOf } from './processor-time.ts';
import { type RunningService, startService } from './service.ts';

export interface SeveralProcesses {
  /** Processes that handle calls, as far as they were started. */
  readonly apis: readonly RunningService[];
  /** Starts another process that handles calls. */
  addApi(): Promise<void>;
  /** Seconds of processor time of the service's processes since their start. */
  serviceSeconds(): { readonly [part: string]: number };
  /** Seconds of processor time of the servers that were started here. */
  serverSeconds(): { readonly [part: string]: number };
  /** Empty for an event store that does not count its calls. */
  storeCalls(): StoreCalls;
  /** Description of the servers, for the figures. */
  readonly servers: string;
  stop(): Promise<void>;
}

export interface SeveralOptions {
  /** Location of the lists: a file per process, or MongoDB for all processes, written by the process that settles. */
  readonly lists: 'sqlite' | 'mongodb';
  /** `main.js` of a build of the service. */
  readonly build: URL;
  readonly environment: Readonly<Record<string, string>>;
}

/** Milliseconds, as on the service's embedded chain. */
const SLOT = 400;
const START_TIMEOUT = 60_000;
/** Lamports for all rents and fees of a benchmark. */
const FEE_PAYER_FUNDS = 10_000_000_000_000;

/** Resolves when a process that settles and publishes is ready. No process handles calls yet. */
export async function openSeveralProcesses(
  folder: string,
  { lists, build, environment }: SeveralOptions,
): Promise<SeveralProcesses | LeftOut> {
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const one of stops.splice(0).reverse()) await one();
  };
  try {
    const images = join(folder, 'images');
    await mkdir(images, { recursive: true });
    const mongo = lists === 'mongodb' ? await startMongoServer(folder) : undefined;
    if (mongo !== undefined && 'leftOut' in mongo) return mongo;
    if (mongo !== undefined) stops.push(mongo.stop);
    const eventStore = await startEventStoreOrStandIn(folder);
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
      const settings = {
        EVENT_STORE_URL: eventStore.url,
        EVENT_STORE_PREFIX: prefix,
        ...(mongo && { READ_MODEL_URL: mongo.urlOf(prefix) }),
        CHAIN_URL: chain.url,
        PUBLIC_URL: 'https://levy.example.com',
        IMAGE_STORE_URL: `file:${images}`,
        LEDGER_STORE_URL: `file:${images}-ledgers`,
        ...secrets,
        ...environment,
        ...own,
      };
      const service = await startService(join(folder, name), settings, [], build);
      stops.push(service.stop);
      await isReady(service.url);
      return service;
    };
    const settler = await start('settler', {
      ROLES: ['settler', 'publisher', ...(mongo === undefined ? [] : ['projector'])].join(),
      ...(hasBus ? { PUBLISHER_URL: `nats://127.0.0.1:${bus.port}` } : {}),
    });
    const apis: RunningService[] = [];
    const ofStore = eventStore.processorSeconds;
    return {
      apis,
      addApi: async () => void apis.push(await start(`api-${apis.length}`, { ROLES: 'api' })),
      serviceSeconds: () => ({
        ...Object.fromEntries(apis.map(({ pid }, index) => [`api ${index + 1}`, processorSecondsOf(pid)])),
        worker: processorSecondsOf(settler.pid),
      }),
      serverSeconds: () => ({
        ...(Number.isNaN(ofStore()) ? {} : { [eventStore.name]: ofStore() }),
        ...(hasBus ? { NATS: bus.processorSeconds() } : {}),
        chain: processorSecondsOf(chain.pid),
      }),
      storeCalls: () => eventStore.calls() ?? {},
      servers: [eventStore.name, ...(mongo === undefined ? [] : [mongo.kind])].join(', '),
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
