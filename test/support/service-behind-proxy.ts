/** The service on a chain that it reaches through a proxy, so that a test decides what the node does to it. */
import { type ChainProxy, openChainProxy } from './chain-proxy.ts';
import { type Creator, openCreator } from './creator.ts';
import { openServiceOnChain, type ServiceOnChain, type ServiceOnChainOptions } from './service-on-chain.ts';

export interface CreatorBehindProxy {
  readonly proxy: ChainProxy;
  readonly service: ServiceOnChain;
  readonly creator: Creator;
}

export async function openCreatorBehindProxy(
  options: Omit<ServiceOnChainOptions, 'nodeUrl'>,
): Promise<CreatorBehindProxy> {
  const proxy = await openChainProxy(options.chainUrl);
  const service = await openServiceOnChain({ ...options, nodeUrl: proxy.url });
  return { proxy, service, creator: await openCreator(service) };
}
