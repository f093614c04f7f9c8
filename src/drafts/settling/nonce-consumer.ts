/** Finds which of the transactions that could consume a nonce value did so. */

import { decodeLegacyTransaction } from 'levy-solana-wire';
import type { Chain, Commitment } from '../../ports/chain.ts';

const SIGNATURES_PER_PAGE = 100;
const PAGES = 20;

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
    if (landed === undefined || !decoded?.ok) return undefined;
    const { bytes } = decoded.transaction.message;
    const candidate = candidates.findIndex(({ message }) => Buffer.compare(message, bytes) === 0);
    if (candidate === -1) return undefined;
    return { candidate, signature, slot: landed.slot, error: landed.error, logs: landed.logs };
  }

  for (const { signature } of candidates) {
    const known = await read(signature);
    if (known !== undefined) return known;
  }
  let before: string | undefined;
  for (let page = 0; page < PAGES; page++) {
    const signatures = await chain.signaturesOf(nonceAccount, {
      limit: SIGNATURES_PER_PAGE,
      commitment,
      ...(before === undefined ? {} : { before }),
    });
    for (const signature of signatures) {
      const found = await read(signature);
      if (found !== undefined) return found;
    }
    if (signatures.length < SIGNATURES_PER_PAGE) return undefined;
    before = signatures.at(-1);
  }
  return undefined;
}
