/** Finds out what became of a nonce value: which of the transactions that could consume it did. */
import type { Chain, Commitment } from '../ports/chain.ts';
import { decodeTransaction } from './decode-transaction.ts';

const SIGNATURES_A_PAGE = 100;
const PAGES = 20;

export interface Consumption {
  /** Which of the candidate messages it was. */
  readonly candidate: number;
  /** Not necessarily the one we know: the same message can be signed differently. */
  readonly signature: string;
  readonly slot: number;
  readonly error: string | undefined;
  readonly logs: readonly string[];
}

/**
 * The landed transaction that carries one of the messages, which all spend the same value of the nonce account; so at
 * most one of them can have landed. Undefined means that it was not found, which proves nothing.
 *
 * Anybody may name the account in transactions of their own, in any form: those are passed over.
 */
export async function findConsumption(
  chain: Chain,
  nonceAccount: string,
  messages: readonly Uint8Array[],
  commitment: Commitment,
): Promise<Consumption | undefined> {
  let before: string | undefined;
  for (let page = 0; page < PAGES; page++) {
    const signatures = await chain.signaturesOf(nonceAccount, {
      limit: SIGNATURES_A_PAGE,
      commitment,
      ...(before === undefined ? {} : { before }),
    });
    for (const signature of signatures) {
      const landed = await chain.transaction(signature, commitment);
      if (landed === undefined) continue;
      const decoded = decodeTransaction(landed.wire);
      if (!decoded.ok) continue;
      const candidate = messages.findIndex(
        (message) => Buffer.compare(message, decoded.transaction.messageBytes) === 0,
      );
      if (candidate === -1) continue;
      return { candidate, signature, slot: landed.slot, error: landed.error, logs: landed.logs };
    }
    if (signatures.length < SIGNATURES_A_PAGE) return undefined;
    before = signatures.at(-1);
  }
  return undefined;
}
