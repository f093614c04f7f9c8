/** A transaction as the list of an account's history tells of it. */
import type { HistoryEntry } from '../../src/kernel/ports/chain.ts';

export function historyEntry(signature: string, told: Partial<HistoryEntry> = {}): HistoryEntry {
  return { signature, slot: 417, error: undefined, memo: undefined, blockTime: undefined, ...told };
}
