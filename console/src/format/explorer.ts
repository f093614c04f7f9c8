/** Links to block explorers, for public clusters. */

const CLUSTERS: { readonly [chain: string]: string } = {
  mainnet: '',
  devnet: '?cluster=devnet',
  testnet: '?cluster=testnet',
};

/** Undefined for a chain without an explorer, such as the embedded one. */
export function explorerLink(
  chain: string | null | undefined,
  kind: 'address' | 'tx',
  of: string,
): string | undefined {
  const cluster = CLUSTERS[chain ?? ''];
  return cluster === undefined
    ? undefined
    : `https://explorer.solana.com/${kind}/${encodeURIComponent(of)}${cluster}`;
}
