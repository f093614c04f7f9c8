/** Solana JSON-RPC adapter: a chain read through one or more nodes. */
import { nodeAddressesIn, type Technology } from '../../kernel/ports/technology.ts';

export const solanaRpc = {
  chain: {
    schemes: ['http', 'https'],

    async open({ url, meter }) {
      const [{ createNodeChain }, { createClusterChain }, { joinReads }] = await Promise.all([
        import('./chain.ts'),
        import('./cluster-chain.ts'),
        import('./batched-reads.ts'),
      ]);
      const urls = nodeAddressesIn(url);
      const hosts = urls.map((each) => new URL(each).host);
      const seen = urls.length > 1 ? { seen: new Map() } : {};
      const nodes = urls.map((each, index) => ({
        // Nodes of one provider may differ only in their secret keys.
        host:
          hosts.indexOf(hosts[index] ?? '') === index
            ? (hosts[index] ?? '')
            : `${hosts[index]} (${index + 1})`,
        chain: createNodeChain({ url: each, ...seen }),
      }));
      return joinReads(createClusterChain({ nodes, meter }));
    },
  },
} satisfies Technology;
