/** Connects to the configured chain; an embedded one is started first. */
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { type LocalChain, openLocalChain } from 'levy-local-chain';
import type { Configuration } from '../config/configuration.ts';
import type { Chain } from '../ports/chain.ts';
import { adapterFor } from './adapters.ts';

export interface OpenedChain {
  readonly chain: Chain;
  /** Undefined if the chain is not ours. */
  readonly localChain: LocalChain | undefined;
}

export async function openChain(configuration: Configuration, log: FastifyBaseLogger): Promise<OpenedChain> {
  const localChain = configuration.chain.isEmbedded ? await startLocalChain(configuration, log) : undefined;
  const url = localChain?.url ?? configuration.chain.url;
  return { chain: await adapterFor('chain', url).open({ url }), localChain };
}

function startLocalChain(configuration: Configuration, log: FastifyBaseLogger): Promise<LocalChain> {
  return openLocalChain({
    dataDir: join(configuration.dataDirectory, 'chain'),
    port: configuration.localChainPort,
    slotMilliseconds: configuration.localChainSlotMs,
    programs: configuration.localChainPrograms,
    accountFiles: configuration.localChainAccounts,
    optionNames: { programs: 'LOCAL_CHAIN_PROGRAMS', accountFiles: 'LOCAL_CHAIN_ACCOUNTS' },
    log: (message) => log.warn({ part: 'local chain' }, message),
  });
}
