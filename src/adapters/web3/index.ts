/** Any Solana node that speaks JSON-RPC, through web3.js. */
import type { Technology } from '../../ports/technology.ts';

export const web3 = {
  chain: {
    schemes: ['http', 'https'],

    async open({ url }) {
      const { createWeb3Chain } = await import('./chain.ts');
      return createWeb3Chain({ url });
    },
  },
} satisfies Technology;
