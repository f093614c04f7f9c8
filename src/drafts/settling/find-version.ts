/**
 * Finds the landed transaction that carries a message, in the final history of a key that signed it. Anybody may name
 * the key in transactions of their own, in any form and number: a history that is too long to be read proves nothing.
 */

import { decodeLegacyTransaction, SYSTEM_PROGRAM } from 'levy-solana-wire';
import type { Chain } from '../../ports/chain.ts';
import { signaturePages } from '../../ports/signature-pages.ts';
import type { Landing } from './judge-version.ts';

interface Wanted {
  readonly message: Uint8Array;
  /** Under which it was sent. */
  readonly signature: string;
  /** The address of the key. */
  readonly signer: string;
  /** The history must not be older. */
  readonly atLeastSlot: bigint;
}

export async function findVersion(
  chain: Pick<Chain, 'signaturesOf' | 'transaction' | 'accounts'>,
  wanted: Wanted,
): Promise<Landing> {
  const read = async (signature: string): Promise<Landing> => {
    const found = await chain.transaction(signature, 'finalized');
    // The node lists it, and does not show it: it may be the one.
    if (found === undefined) return { kind: 'unknown' };
    const decoded = decodeLegacyTransaction(found.wire);
    if (!decoded.ok || Buffer.compare(decoded.transaction.message.bytes, wanted.message) !== 0)
      return { kind: 'absent' };
    return { kind: 'landed', signature, slot: found.slot, error: found.error, logs: found.logs };
  };
  // Known signatures are looked up first, so that nothing can bury them.
  const known = await read(wanted.signature);
  if (known.kind === 'landed') return known;

  let isComplete = true;
  const history = signaturePages(chain, wanted.signer, {
    commitment: 'finalized',
    atLeastSlot: wanted.atLeastSlot,
  });
  for await (const { signatures, isLast } of history) {
    for (const signature of signatures) {
      const landing = await read(signature);
      if (landing.kind === 'landed') return landing;
      if (landing.kind === 'unknown') isComplete = false;
    }
    if (isLast) return { kind: isComplete && !(await hasMadeAccount(chain, wanted)) ? 'absent' : 'unknown' };
  }
  return { kind: 'unknown' };
}

/**
 * Whether the message has landed for all that the history says: nobody else can make an account of a program at the
 * address of its key. Lamports alone prove nothing, since anybody may send some.
 */
async function hasMadeAccount(
  chain: Pick<Chain, 'accounts'>,
  { signer, atLeastSlot }: Wanted,
): Promise<boolean> {
  const [account] = await chain.accounts([signer], 'finalized', { atLeastSlot });
  return account !== undefined && account.owner !== SYSTEM_PROGRAM;
}
