/** Opens the way to the chain that the configuration names; the local one is started first. */
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { type LocalChain, openLocalChain } from 'levy-local-chain';
import { createWeb3Chain } from '../adapters/web3/chain.ts';
import type { Configuration } from '../config/configuration.ts';
import type { Chain } from '../ports/chain.ts';

export interface OpenedChain {
  readonly chain: Chain;
  /** Undefined where the chain is not ours. */
  readonly localChain: LocalChain | undefined;
}

export async function openChain(configuration: Configuration, log: FastifyBaseLogger): Promise<OpenedChain> {
  const { chain } = configuration;
  if (chain.kind === 'rpc') return { chain: createWeb3Chain({ url: chain.url }), localChain: undefined };
  const localChain = await openLocalChain({
    dataDir: join(configuration.dataDirectory, 'chain'),
    port: configuration.localChainPort,
    slotMilliseconds: configuration.localChainSlotMs,
    programs: configuration.localChainPrograms,
    accountFiles: configuration.localChainAccounts,
    log: (message) => log.warn({ part: 'local chain' }, message),
  });
  return { chain: createWeb3Chain({ url: localChain.url }), localChain };
}
