/** A chain that has a history and nothing else: it lists and shows transactions as nodes do, and counts what it is asked. */
import type { Chain, HistoryEntry, LandedTransaction } from '../../src/kernel/ports/chain.ts';
import { historyEntry } from './history-entry.ts';

export interface ScriptedTransaction {
  readonly entry: HistoryEntry;
  /** Undefined: listed, and not shown. */
  readonly transaction: LandedTransaction | undefined;
}

export interface ScriptedHistory {
  readonly chain: Pick<Chain, 'signaturesOf' | 'transaction'>;
  readonly calls: { lists: number; reads: number };
}

/** `descending`: as nodes list them. */
export function scriptedHistory(descending: readonly ScriptedTransaction[]): ScriptedHistory {
  const calls = { lists: 0, reads: 0 };
  const placeOf = new Map(descending.map(({ entry }, index) => [entry.signature, index]));
  return {
    calls,
    chain: {
      async signaturesOf(_address, { before, until, limit }) {
        calls.lists += 1;
        const from = before === undefined ? 0 : placeOf.get(before);
        // Response of nodes for an unknown signature.
        if (from === undefined) return [];
        const first = before === undefined ? 0 : from + 1;
        const end = until === undefined ? descending.length : (placeOf.get(until) ?? descending.length);
        return descending.slice(first, Math.min(first + limit, end)).map(({ entry }) => entry);
      },
      async transaction(signature) {
        calls.reads += 1;
        const place = placeOf.get(signature);
        return place === undefined ? undefined : descending[place]?.transaction;
      },
    },
  };
}

/** Transfers of strangers that name the account, all in one slot. */
export function strangers(
  count: number,
  told: Partial<HistoryEntry> = {},
  wire = new Uint8Array(),
): readonly ScriptedTransaction[] {
  const { slot = 417, error } = told;
  const name = `stranger-in-${slot}`;
  return Array.from({ length: count }, (_, index) => ({
    entry: historyEntry(`${name}-${index}`, told),
    transaction: { slot, wire, fee: 5_000n, error, logs: [] },
  }));
}
