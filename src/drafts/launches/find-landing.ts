/**
 * Finds the transaction that created a launch's position. The position's key signs one message only (with or without
 * the guards that wallets add), so any landed transaction that it signed is the launch, whatever its signature.
 */

import { addressOf, decodeLegacyTransaction } from 'levy-solana-wire';
import type { Chain, Commitment } from '../../ports/chain.ts';

export interface Landing {
  readonly signature: string;
  readonly slot: number;
}

const SIGNATURES_PER_PAGE = 1_000;
/** Other transactions may name the position's mint too; burying a launch under this many costs more than a launch. */
const MOST_PAGES = 20;

/** Undefined while no such transaction is seen at the commitment; that proves nothing. */
export async function findLanding(
  chain: Chain,
  positionMint: string,
  commitment: Commitment,
): Promise<Landing | undefined> {
  for (const signature of await oldestFirst(chain, positionMint, commitment)) {
    const transaction = await chain.transaction(signature, commitment);
    if (transaction === undefined || transaction.error !== undefined) continue;
    if (isSignedBy(positionMint, transaction.wire)) return { signature, slot: transaction.slot };
  }
  return undefined;
}

/** The transaction that created the position is older than any other that names it. */
async function oldestFirst(chain: Chain, address: string, commitment: Commitment): Promise<string[]> {
  const found: string[] = [];
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const before = found.at(-1);
    const signatures = await chain.signaturesOf(address, {
      limit: SIGNATURES_PER_PAGE,
      commitment,
      ...(before === undefined ? {} : { before }),
    });
    found.push(...signatures);
    if (signatures.length < SIGNATURES_PER_PAGE) break;
  }
  return found.reverse();
}

function isSignedBy(address: string, wire: Uint8Array): boolean {
  const decoded = decodeLegacyTransaction(wire);
  // The key never signed a message of another version.
  if (!decoded.ok) return false;
  const { accountKeys, requiredSignatures } = decoded.transaction.message;
  return accountKeys.slice(0, requiredSignatures).some((key) => addressOf(key) === address);
}
