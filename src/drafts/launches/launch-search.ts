/**
 * The transaction that created a launch's position. Pure. The position's key signs one message only (with or without the
 * guards that wallets add), so any landed transaction that it signed is the launch, whatever its signature.
 */

import { addressOf, decodeLegacyTransaction } from 'levy-solana-wire';
import type { Search } from '../../chain/history-search.ts';
import type { ChainTip, Commitment } from '../../kernel/ports/chain.ts';
import { acceptedOf, type LivingDraft } from '../../streams/draft-state.ts';
import { windowOf } from '../settling/slot-window.ts';

/** A block's time and the one that programs see in it are the same clock's; nodes may round or estimate. */
const MOST_SECONDS_APART = 300;

interface Wanted {
  readonly positionMint: string;
  readonly commitment: Commitment;
  readonly tip: ChainTip;
  /** When the pool was made, as the pool says: seconds since 1970. */
  readonly madeAt?: bigint | undefined;
}

export function launchSearch(state: LivingDraft, { positionMint, commitment, tip, madeAt }: Wanted): Search {
  const accepted = acceptedOf(state);
  return {
    name: `launch as ${commitment}`,
    commitment,
    known: accepted === undefined ? [] : [accepted.signature],
    history: {
      address: positionMint,
      window: windowOf({ issued: state.issued, accepted }, tip),
      // Not older than what was read when the search began.
      ...(commitment === 'finalized' && { atLeastSlot: tip.slot }),
      likelihood({ error, blockTime }) {
        if (error !== undefined) return 'ruled-out';
        if (madeAt === undefined || blockTime === undefined) return 'possible';
        const apart = Math.abs(blockTime - Number(madeAt));
        if (apart === 0) return 'likely';
        return apart <= MOST_SECONDS_APART ? 'possible' : 'ruled-out';
      },
    },
    matches: ({ error, wire }) => error === undefined && isSignedBy(positionMint, wire),
  };
}

function isSignedBy(address: string, wire: Uint8Array): boolean {
  const decoded = decodeLegacyTransaction(wire);
  // The key never signed a message of another version.
  if (!decoded.ok) return false;
  const { accountKeys, requiredSignatures } = decoded.transaction.message;
  return accountKeys.slice(0, requiredSignatures).some((key) => addressOf(key) === address);
}
