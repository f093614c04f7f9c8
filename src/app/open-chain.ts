/** Connects to the configured chain; an embedded one is started first. */
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { type LocalChain, openLocalChain } from 'levy-local-chain';
import { type Chain, ChainUnavailable } from '../kernel/ports/chain.ts';
import type { ChainNodeMeter } from '../kernel/ports/chain-node-meter.ts';
import { retry } from '../kernel/runtime/retry.ts';
import type { Configuration } from '../operations/config/configuration.ts';
import { adapterFor } from './adapters.ts';
import { folderOrRefused, refusedPort } from './start-refusals.ts';

export interface OpenedChain {
  readonly chain: Chain;
  /** Undefined if the chain is not ours. */
  readonly localChain: LocalChain | undefined;
}

export async function openChain(
  configuration: Configuration,
  log: FastifyBaseLogger,
  meter: ChainNodeMeter,
): Promise<OpenedChain> {
  const localChain = configuration.chain.isEmbedded ? await startLocalChain(configuration, log) : undefined;
  const url = localChain?.url ?? configuration.chain.url;
  return { chain: await adapterFor('chain', url).open({ url, meter }), localChain };
}

/** The one file of the embedded chain, in its folder. */
const CHAIN_FILE = 'chain.db';

export function chainFileOf(place: Pick<Configuration, 'dataDirectory'>): string {
  return join(chainFolderOf(place), CHAIN_FILE);
}

/** Where the embedded chain keeps its data. */
export function chainFolderOf({ dataDirectory }: Pick<Configuration, 'dataDirectory'>): string {
  return join(dataDirectory, 'chain');
}

async function startLocalChain(configuration: Configuration, log: FastifyBaseLogger): Promise<LocalChain> {
  const dataDir = chainFolderOf(configuration);
  try {
    return await folderOrRefused({ folder: dataDir, name: 'DATA_DIR' }, () =>
      open(dataDir, configuration, log),
    );
  } catch (error) {
    throw (
      refusedPort(
        {
          what: 'The embedded chain',
          host: '127.0.0.1',
          port: configuration.localChainPort,
          hostName: 'LOCAL_CHAIN_PORT',
          portName: 'LOCAL_CHAIN_PORT',
        },
        withCodeOfSystem(error),
      ) ?? error
    );
  }
}

/** The chain's process gives its reason as text. */
function withCodeOfSystem(error: unknown): unknown {
  const code = error instanceof Error ? /\b(EADDRINUSE|EACCES)\b/.exec(error.message)?.[1] : undefined;
  return code === undefined ? error : Object.assign(new Error(code), { code });
}

function open(dataDir: string, configuration: Configuration, log: FastifyBaseLogger): Promise<LocalChain> {
  return openLocalChain({
    dataDir,
    port: configuration.localChainPort,
    slotMilliseconds: configuration.localChainSlotMs,
    nonces: configuration.draftLifetimeKind === 'durable-nonce',
    programs: configuration.localChainFiles.programs,
    accountFiles: configuration.localChainFiles.accounts,
    optionNames: { programs: 'LOCAL_CHAIN_ACCOUNTS', accountFiles: 'LOCAL_CHAIN_ACCOUNTS' },
    log: (message) => log.warn({ part: 'local chain' }, message),
  });
}

/** Milliseconds. A process that dies is started again within seconds. */
const RESTARTED_WITHIN = 15_000;
const ASK_EVERY = 100;

/** For the embedded chain, whose process may be killed while the service starts. */
export function whenItAnswers<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  const until = performance.now() + RESTARTED_WITHIN;
  return retry(ask, {
    pauses: [ASK_EVERY],
    failed(error) {
      if (!(error instanceof ChainUnavailable) || performance.now() >= until) throw error;
    },
  });
}
