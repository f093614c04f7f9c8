/**
 * Watches the pools of launches that have not reached their target: keeps their latest figures in memory, and records
 * the first final price at or above the target. Reads final prices whatever the latest are: finality lags, and a
 * price that reached the target may have fallen again before it is final. Keeps nothing that the chain does not show.
 */

import { readPool } from '../chain/venue/judge-launch.ts';
import { type LaunchFigures, launchFigures } from '../chain/venue/launch-figures.ts';
import type { Chain, ChainAccount } from '../ports/chain.ts';
import type { ReadModel } from '../ports/read-model.ts';
import { type LaunchDocument, launches } from '../projections/launches.ts';
import type { Clock } from '../runtime/clock.ts';
import { unlessUndecodable } from '../runtime/event-reader.ts';
import { causeOf, type Executor } from '../runtime/execute.ts';
import { LaunchCompleted, launch } from '../streams/launch.ts';
import { launchBasisOf } from '../streams/recorded-launch.ts';

/** Milliseconds; older figures are not shown. */
export const FIGURES_LIFETIME = 5_000;
/** The longest that a query waits for a launch's first figures, in milliseconds; rounds are more frequent. */
const PATIENCE = 2_500;
/** Launches per call to the chain. */
const POOLS_PER_CALL = 100;

export interface LaunchFiguresNow {
  /**
   * The figures of an active launch, at most five seconds old; undefined while the chain shows none. Does not call the
   * chain: for a launch that has just become active it waits for the next round.
   */
  of(tokenId: string): Promise<LaunchFigures | undefined>;
}

export interface PoolWatcher {
  readonly figures: LaunchFiguresNow;
  /** One round over all active launches; records if allowed. Rejects when the chain or the store does not answer. */
  watch(): Promise<{ readonly active: number }>;
}

export interface PoolWatcherOptions {
  readonly executor: Executor;
  readonly readModel: ReadModel;
  readonly chain: Chain;
  readonly clock: Clock;
  readonly report: (message: string, details: object) => void;
  /** Every process that answers queries keeps figures; only one process at a time records reached targets. */
  readonly mayRecord: () => boolean;
}

export function createPoolWatcher(options: PoolWatcherOptions): PoolWatcher {
  const { executor, readModel, chain, clock, report, mayRecord } = options;
  let seen = new Map<string, { readonly figures: LaunchFigures; readonly at: number }>();
  let isFailing = false;
  /** Final prices are read in every second round, to save calls. */
  let finalIsDue = true;
  const waiting = new Set<() => void>();
  const unreadable = new Set<string>();

  function fresh(tokenId: string): LaunchFigures | undefined {
    const found = seen.get(tokenId);
    return found !== undefined && clock.now().getTime() - found.at <= FIGURES_LIFETIME
      ? found.figures
      : undefined;
  }

  async function refreshFigures(documents: readonly LaunchDocument[], into: typeof seen): Promise<void> {
    // Before the call: the figures may be as old as the request.
    const at = clock.now().getTime();
    const accounts = await poolsOf(documents, 'confirmed');
    documents.forEach((document, index) => {
      const figures = figuresIn(document, accounts[index]);
      tellOfUnreadable(document, figures === undefined);
      if (figures === undefined) return;
      // At once: with many pools a round takes longer than the first figures' lifetime.
      seen.set(document.tokenId, { figures, at });
      into.set(document.tokenId, { figures, at });
    });
  }

  function tellOfUnreadable({ tokenId, launch: { poolAddress } }: LaunchDocument, isNow: boolean): void {
    if (isNow && !unreadable.has(tokenId)) report('a launched pool cannot be read', { poolAddress });
    if (isNow) unreadable.add(tokenId);
    else unreadable.delete(tokenId);
  }

  async function completeReached(documents: readonly LaunchDocument[]): Promise<void> {
    const accounts = await poolsOf(documents, 'finalized');
    await Promise.all(
      documents.map(async (document, index) => {
        const account = accounts[index];
        const figures = figuresIn(document, account);
        const sqrtPrice = account && readPool(account)?.sqrtPrice;
        if (figures === undefined || sqrtPrice === undefined || !isReached(document, figures)) return;
        const event = LaunchCompleted({
          tokenId: document.tokenId,
          mintAddress: document.launch.mintAddress,
          poolAddress: document.launch.poolAddress,
          sqrtPrice: sqrtPrice.toString(),
          marketCap: figures.marketCap.toString(),
          tokensSold: figures.tokensSold.toString(),
          solCollected: figures.solCollected.toString(),
        });
        await unlessUndecodable(
          executor.execute(launch, document.tokenId, causeOf('pool-watcher'), (state) =>
            state === undefined || state.isCompleted ? [] : [event],
          ),
        );
      }),
    );
  }

  function poolsOf(documents: readonly LaunchDocument[], commitment: 'confirmed' | 'finalized') {
    return chain.accounts(
      documents.map((document) => document.launch.poolAddress),
      commitment,
    );
  }

  /** Resolves at the end of a round, failed or not, or when the time is over. */
  function nextRound(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(wake, milliseconds);
      function wake(): void {
        clearTimeout(timer);
        waiting.delete(wake);
        resolve();
      }
      waiting.add(wake);
    });
  }

  async function round(): Promise<number> {
    const next: typeof seen = new Map();
    const looksAtFinal = finalIsDue;
    let active = 0;
    for (let after: string | undefined; ; ) {
      const documents = await readModel.find(launches, 'state', 'active', {
        limit: POOLS_PER_CALL,
        ...(after === undefined ? {} : { after }),
      });
      if (documents.length > 0) await refreshFigures(documents, next);
      if (documents.length > 0 && looksAtFinal && mayRecord()) await completeReached(documents);
      active += documents.length;
      after = documents.at(-1)?.tokenId;
      if (documents.length < POOLS_PER_CALL) break;
    }
    seen = next;
    // Only now: after a round that failed, the next one makes up for it.
    finalIsDue = !looksAtFinal;
    return active;
  }

  return {
    figures: {
      async of(tokenId) {
        const until = performance.now() + PATIENCE;
        for (;;) {
          const figures = fresh(tokenId);
          const left = until - performance.now();
          if (figures !== undefined || isFailing || left <= 0) return figures;
          await nextRound(left);
        }
      },
    },
    async watch() {
      try {
        const active = await round();
        isFailing = false;
        return { active };
      } catch (error) {
        isFailing = true;
        throw error;
      } finally {
        for (const wake of [...waiting]) wake();
      }
    },
  };
}

function figuresIn({ launch: terms }: LaunchDocument, account: ChainAccount | undefined) {
  const pool = account && readPool(account);
  return pool && launchFigures(launchBasisOf(terms), pool.sqrtPrice);
}

function isReached({ launch: { targetMarketCap } }: LaunchDocument, { marketCap }: LaunchFigures): boolean {
  return marketCap >= BigInt(targetMarketCap);
}
