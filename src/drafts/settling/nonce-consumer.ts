/** Finds which of the transactions that could consume a nonce value did so. */

import { decodeLegacyTransaction } from 'levy-solana-wire';
import { hasRun } from '../../chain/has-run.ts';
import type { Chain, Commitment } from '../../ports/chain.ts';
import { signaturePages } from '../../ports/signature-pages.ts';

/** What consumed the value is among the newest, unless strangers name the account. */
const SIGNATURES_PER_PAGE = 100;

/** A transaction that could consume the value: its message, and a signature under which it may have landed. */
export interface Candidate {
  readonly message: Uint8Array;
  readonly signature: string;
}

export interface Consumption {
  /** The candidate's index. */
  readonly candidate: number;
  /** May differ from the known signature: the same message can be signed differently. */
  readonly signature: string;
  readonly slot: number;
  readonly error: string | undefined;
  readonly logs: readonly string[];
}

/**
 * The landed transaction that carries the message of one of the candidates. All candidates spend the same value of the
 * nonce account, so at most one of them can have landed. Undefined means that it was not found, which proves nothing.
 *
 * Anybody may name the account in transactions of their own, in any form and number: those are skipped, and known
 * signatures are looked up first, so that nothing can bury them.
 */
export async function findConsumption(
  chain: Chain,
  nonceAccount: string,
  candidates: readonly Candidate[],
  commitment: Commitment,
): Promise<Consumption | undefined> {
  async function read(signature: string): Promise<Consumption | undefined> {
    const landed = await chain.transaction(signature, commitment);
    const decoded = landed && decodeLegacyTransaction(landed.wire);
    // What stands in a block without having run has spent nothing.
    if (landed === undefined || !hasRun(landed) || !decoded?.ok) return undefined;
    const { bytes } = decoded.transaction.message;
    const candidate = candidates.findIndex(({ message }) => Buffer.compare(message, bytes) === 0);
    if (candidate === -1) return undefined;
    return { candidate, signature, slot: landed.slot, error: landed.error, logs: landed.logs };
  }

  for (const { signature } of candidates) {
    const known = await read(signature);
    if (known !== undefined) return known;
  }
  const history = signaturePages(chain, nonceAccount, { commitment, perPage: SIGNATURES_PER_PAGE });
  for await (const { signatures } of history) {
    for (const signature of signatures) {
      const found = await read(signature);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}
