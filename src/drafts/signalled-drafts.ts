/**
 * Remembers the drafts of the log's latest events. While the read model of drafts waits at an event that cannot be
 * decoded, settling finds its work here: one damaged stream must not stop the others.
 */

import { LRUCache } from 'lru-cache';
import type { Position } from '../kernel/ports/event-store.ts';
import type { Projector } from '../kernel/runtime/projector.ts';
import { transactions } from '../projections/transactions.ts';

const MOST_REMEMBERED = 1_000;

export interface SignalledDrafts {
  add(transactionId: string): void;
  /** The latest thousand, oldest first; none while the read model is not blocked. */
  unseen(): readonly string[];
  /** What the read model has seen, if it is blocked: signals must begin there after a restart. */
  blockedAfter(): Position | undefined;
}

export function createSignalledDrafts(projector: Pick<Projector, 'status'>): SignalledDrafts {
  const ids = new LRUCache<string, true>({ max: MOST_REMEMBERED });

  function blocked() {
    return projector
      .status()
      .find(({ name, blockedBy }) => name === transactions.name && blockedBy !== undefined);
  }

  return {
    add: (transactionId) => void ids.set(transactionId, true),
    unseen: () => (blocked() === undefined ? [] : [...ids.rkeys()]),
    blockedAfter: () => blocked()?.position,
  };
}
