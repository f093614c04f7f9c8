/** Any Solana nodes that speak JSON-RPC. */
import { nodeAddressesIn, type Technology } from '../../kernel/ports/technology.ts';

export const solanaRpc = {
  chain: {
    schemes: ['http', 'https'],

    async open({ url, meter }) {
      const [{ createNodeChain }, { createClusterChain }, { joinReads }] = await Promise.all([
        import('./chain.ts'),
        import('./cluster-chain.ts'),
        import('./joined-reads.ts'),
      ]);
      const urls = nodeAddressesIn(url);
      const hosts = urls.map((each) => new URL(each).host);
      const seen = urls.length > 1 ? { seen: new Map() } : {};
      const nodes = urls.map((each, index) => ({
        // Two of one provider differ in their keys, which are not to be shown.
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
