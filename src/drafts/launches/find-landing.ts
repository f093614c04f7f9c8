/**
 * Finds the transaction that created a launch's position. The position's key signs one message only (with or without
 * the guards that wallets add), so any landed transaction that it signed is the launch, whatever its signature.
 */

import { addressOf, decodeLegacyTransaction } from 'levy-solana-wire';
import type { Chain, Commitment } from '../../ports/chain.ts';
import { signaturePages } from '../../ports/signature-pages.ts';

export interface Landing {
  readonly signature: string;
  readonly slot: number;
}

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
  for await (const { signatures } of signaturePages(chain, address, { commitment })) {
    found.push(...signatures);
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
