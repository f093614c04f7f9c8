/**
 * Runs the searches of all drafts beside the rounds that look and send: a few at a time, in turns of a few calls. What
 * was read is kept in memory; after a restart a search begins anew.
 */

import type { Chain } from '../../kernel/ports/chain.ts';
import type { Logger } from '../../kernel/ports/logger.ts';
import type { Clock } from '../../kernel/runtime/clock.ts';
import { nextTurns, type SearchState } from './next-turns.ts';
import { type KeptSearch, keptSearch, takeTurn, type WantedSearch } from './search-turn.ts';

/** Milliseconds. */
const MINUTE = 60_000;

export interface Searches {
  /** Begins the search, or continues it where it stopped. */
  want(wanted: WantedSearch): void;
  /** Nothing is to be searched for the draft any more. */
  end(transactionId: string): void;
  /** Ends the searches for all other drafts. */
  keepOnly(present: ReadonlySet<string>): void;
  /** How many are under way, and how many of them read a flooded history. */
  counts(): { readonly all: number; readonly flooded: number };
  /** Ends all searches. Resolves when the turns under way have ended. */
  stop(): Promise<void>;
}

export interface SearchesOptions {
  readonly chain: Pick<Chain, 'signaturesOf' | 'transaction'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function createSearches({ chain, clock, logger }: SearchesOptions): Searches {
  const kept = new Map<string, KeptSearch>();
  const turns = new Set<Promise<void>>();
  let spent: { readonly at: number; readonly calls: number }[] = [];
  let isStopped = false;

  function keep(wanted: WantedSearch): void {
    const { transactionId, search } = wanted;
    const known = kept.get(transactionId);
    if (known?.running.search.name === search.name) {
      known.wanted = wanted;
      return;
    }
    kept.set(transactionId, keptSearch(wanted, { chain, begunAt: clock.now().getTime() }));
  }

  function serve(): void {
    if (isStopped) return;
    const now = clock.now().getTime();
    spent = spent.filter(({ at }) => now - at < MINUTE);
    const longCalls = spent.reduce((sum, { calls }) => sum + calls, 0);
    for (const transactionId of nextTurns([...kept.values()].map(stateOf), { now, longCalls })) {
      const one = kept.get(transactionId);
      if (one !== undefined) begin(one);
    }
  }

  function spend(at: number, calls: number): void {
    spent.push({ at, calls });
  }

  function begin(one: KeptSearch): void {
    one.isRunning = true;
    const turn = takeTurn(one, { clock, logger, isWanted: () => isWanted(one), spend }).finally(() => {
      one.isRunning = false;
      turns.delete(turn);
      serve();
    });
    turns.add(turn);
  }

  function isWanted(one: KeptSearch): boolean {
    return !isStopped && kept.get(one.wanted.transactionId) === one;
  }

  return {
    want(wanted) {
      keep(wanted);
      serve();
    },
    end: (transactionId) => void kept.delete(transactionId),
    keepOnly(present) {
      for (const transactionId of kept.keys()) if (!present.has(transactionId)) kept.delete(transactionId);
    },
    counts: () => ({
      all: kept.size,
      flooded: [...kept.values()].filter(({ isFlooded }) => isFlooded).length,
    }),
    async stop() {
      isStopped = true;
      await Promise.all(turns);
    },
  };
}

function stateOf({
  wanted: { transactionId },
  running: { calls },
  isRunning,
  notBefore,
}: KeptSearch): SearchState {
  return { transactionId, isRunning, calls, notBefore };
}
