/** Checks whether the launch venue is on the chain: on the embedded chain, the operator must load its program. */

import { VENUE_PROGRAM } from '../../chain/venue/addresses.ts';
import type { Chain } from '../../kernel/ports/chain.ts';
import { rejection } from '../../streams/rejections.ts';

export type Venue = ReturnType<typeof createVenue>;

const LOADERS: readonly string[] = [
  'BPFLoaderUpgradeab1e11111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
];

/** `isLocal`: true on the embedded chain, where the operator can load the program. */
export function createVenue(chain: Chain, { isLocal }: { readonly isLocal: boolean }) {
  // Cached permanently: programs are not removed, and some nodes return the whole code.
  let existed = false;
  const venue = {
    async exists() {
      if (existed) return true;
      const [program] = await chain.accounts([VENUE_PROGRAM], 'confirmed');
      existed = program !== undefined && LOADERS.includes(program.owner);
      return existed;
    },
    /**
     * Rejects with `VENUE_UNAVAILABLE` if the program is not on the chain; on the embedded chain, the message explains how to
     * load it.
     */
    async requireExists() {
      if (await venue.exists()) return;
      const remedy =
        'load it into the embedded chain: "solana program dump -u mainnet-beta ' +
        `${VENUE_PROGRAM} venue.so", then start with LOCAL_CHAIN_ACCOUNTS=${VENUE_PROGRAM}=venue.so.`;
      throw rejection(
        'VENUE_UNAVAILABLE',
        `Launches are not available: the program of the launch venue is not on this chain. Retrying does not help.${isLocal ? ` For the operator: ${remedy}` : ''}`,
      );
    },
  };
  return venue;
}
