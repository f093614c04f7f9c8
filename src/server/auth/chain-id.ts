/** Gives the chain's name in sign-in messages. */
type Cluster = 'mainnet' | 'devnet' | 'testnet' | 'localnet';

const CLUSTERS: { readonly [genesisHash: string]: Cluster } = {
  '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d': 'mainnet',
  EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG: 'devnet',
  '4uhcVJyU9pJkvQyS88uRDiswHXSGkY3zQawwpjk2NsNY': 'testnet',
};

export function signInChainId(genesisHash: string): Cluster {
  return CLUSTERS[genesisHash] ?? 'localnet';
}
