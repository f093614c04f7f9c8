/**
 * Watches the pools of launches that have not reached their target: caches their latest figures, and records the first final
 * price at or above the target. Reads finalized prices separately, since a price may fall below the target again before it is
 * final.
 */

import { readPool } from '../../chain/venue/judge-launch.ts';
import { type LaunchFigures, launchFigures } from '../../chain/venue/launch-figures.ts';
import type { Chain, ChainAccount } from '../../kernel/ports/chain.ts';
import type { Logger } from '../../kernel/ports/logger.ts';
import type { ReadModel } from '../../kernel/ports/read-model.ts';
import type { Clock } from '../../kernel/runtime/clock.ts';
import { createCondition } from '../../kernel/runtime/condition.ts';
import { errorMessage } from '../../kernel/runtime/error-message.ts';
import { unlessUndecodable } from '../../kernel/runtime/event-reader.ts';
import { causeOf, type Executor } from '../../kernel/runtime/execute.ts';
import { findPages } from '../../kernel/runtime/find-pages.ts';
import { startRepetition } from '../../kernel/runtime/repeat.ts';
import { type LaunchDocument, launches } from '../../projections/launches.ts';
import { LaunchCompleted, type LaunchEvent, type LaunchState, launch } from '../../streams/launch.ts';
import { launchBasisOf } from '../../streams/recorded-launch.ts';

/** Launches per call to the chain. */
const POOLS_PER_CALL = 100;

interface PoolWatcherOptions {
  readonly executor: Executor;
  readonly readModel: ReadModel;
  readonly chain: Chain;
  readonly clock: Clock;
  readonly logger: Logger;
  /**
   * True if this process may record reached targets. Every process that serves queries caches figures; only one at a time
   * records.
   */
  readonly mayRecord: () => boolean;
}

export function createPoolWatcher(options: PoolWatcherOptions) {
  const { executor, readModel, chain, clock, logger, mayRecord } = options;
  const latest = createFiguresNow(clock);
  /** Final prices are read in every second round, to save calls. */
  let finalIsDue = true;
  const unreadable = new Set<string>();

  async function refreshFigures(documents: readonly LaunchDocument[]): Promise<void> {
    // Taken before the call, since the figures may be as old as the request.
    const at = clock.now().getTime();
    const accounts = await poolsOf(chain, documents, 'confirmed');
    documents.forEach((document, index) => {
      const figures = figuresIn(document, accounts[index]);
      warnUnreadable(document, figures === undefined);
      latest.see(document.tokenId, figures, at);
    });
  }

  function warnUnreadable({ tokenId, launch: { poolAddress } }: LaunchDocument, isNow: boolean): void {
    if (isNow && !unreadable.has(tokenId)) logger.warn({ poolAddress }, 'pool of a launch cannot be read');
    if (isNow) unreadable.add(tokenId);
    else unreadable.delete(tokenId);
  }

  async function completeReached(documents: readonly LaunchDocument[]): Promise<void> {
    const accounts = await poolsOf(chain, documents, 'finalized');
    await Promise.all(
      documents.map(async (document, index) => {
        const reached = reachedIn(document, accounts[index]);
        if (reached === undefined) return;
        await unlessUndecodable(
          executor.execute(launch, document.tokenId, causeOf('pool-watcher'), (state) =>
            decideCompletion(state, reached),
          ),
        );
      }),
    );
  }

  async function readAll(): Promise<number> {
    const readsFinal = finalIsDue;
    let active = 0;
    const pages = { limit: POOLS_PER_CALL, keyOf: ({ tokenId }: LaunchDocument) => tokenId };
    for await (const documents of findPages(readModel, launches, 'state', 'active', pages)) {
      await refreshFigures(documents);
      if (readsFinal && mayRecord()) await completeReached(documents);
      active += documents.length;
    }
    // Set only after success, so that the next round repeats a failed read of finalized prices.
    finalIsDue = !readsFinal;
    return active;
  }

  return {
    figures: latest,
    /** Runs one round over all active launches; records if allowed. Rejects if the chain or the store does not respond. */
    async watch() {
      try {
        const active = await readAll();
        latest.ended(false);
        return { active };
      } catch (error) {
        latest.ended(true);
        throw error;
      }
    },
  };
}

/** Completes the launch once, with the first finalized price that reached its target. */
function decideCompletion(state: LaunchState, reached: Reached): readonly LaunchEvent[] {
  return state === undefined || state.isCompleted ? [] : [LaunchCompleted(reached)];
}

type Reached = Parameters<typeof LaunchCompleted>[0];

/** Undefined if the pool's price is below the launch's target, or cannot be read. */
function reachedIn(
  document: Pick<LaunchDocument, 'tokenId' | 'launch'>,
  account: ChainAccount | undefined,
): Reached | undefined {
  const { tokenId, launch: terms } = document;
  const { mintAddress, poolAddress, targetMarketCap } = terms;
  const sqrtPrice = account && readPool(account)?.sqrtPrice;
  const figures = figuresIn(document, account);
  if (sqrtPrice === undefined || figures === undefined || figures.marketCap < BigInt(targetMarketCap))
    return undefined;
  return {
    tokenId,
    mintAddress,
    poolAddress,
    sqrtPrice: sqrtPrice.toString(),
    marketCap: figures.marketCap.toString(),
    tokensSold: figures.tokensSold.toString(),
    solCollected: figures.solCollected.toString(),
  };
}

function poolsOf(
  chain: Pick<Chain, 'accounts'>,
  documents: readonly LaunchDocument[],
  commitment: 'confirmed' | 'finalized',
) {
  return chain.accounts(
    documents.map((document) => document.launch.poolAddress),
    commitment,
  );
}

function figuresIn(
  { launch: terms }: Pick<LaunchDocument, 'launch'>,
  account: ChainAccount | undefined,
): LaunchFigures | undefined {
  const pool = account && readPool(account);
  return pool && launchFigures(launchBasisOf(terms), pool.sqrtPrice);
}

/** Milliseconds between two rounds; well below the figures' lifetime. */
const POOL_PAUSE = 1_000;

/** Resolves after the first round. A failure of that round does not prevent startup. */
export async function startPoolWatch(options: PoolWatcherOptions) {
  const { clock, logger } = options;
  const watcher = createPoolWatcher(options);
  await watcher
    .watch()
    .catch((error: unknown) =>
      logger.warn({ error: errorMessage(error) }, 'pools of launches could not be read at startup, retrying'),
    );
  const repetition = startRepetition({
    name: 'pool-watcher',
    clock,
    logger,
    work: async () => {
      await watcher.watch();
      return POOL_PAUSE;
    },
  });
  return { figures: watcher.figures, repetition };
}

/** Maximum age of returned figures, in milliseconds. */
const FIGURES_LIFETIME = 5_000;
/** Maximum wait of a query for a launch's first figures, in milliseconds; longer than the interval of rounds. */
const TIMEOUT = 2_500;

type LaunchFiguresNow = Pick<ReturnType<typeof createFiguresNow>, 'of'>;

/** Cache of the latest figures of active launches. */
function createFiguresNow(clock: Clock) {
  const seen = new Map<string, { readonly figures: LaunchFigures; readonly at: number }>();
  let isFailing = false;
  const rounds = createCondition();

  function fresh(tokenId: string): LaunchFigures | undefined {
    const found = seen.get(tokenId);
    return found !== undefined && clock.now().getTime() - found.at <= FIGURES_LIFETIME
      ? found.figures
      : undefined;
  }

  return {
    /**
     * Figures of an active launch, at most five seconds old; undefined while the chain shows none. This function does not call the
     * chain. For a launch that has just become active, it waits for the next round of the watcher.
     */
    async of(tokenId: string): Promise<LaunchFigures | undefined> {
      await rounds.until(() => isFailing || fresh(tokenId) !== undefined, TIMEOUT);
      return fresh(tokenId);
    },
    /**
     * Stores figures immediately instead of at the end of a round, because with many pools a round takes longer than its first
     * figures are valid. `at`: milliseconds since the epoch.
     */
    see(tokenId: string, figures: LaunchFigures | undefined, at: number) {
      if (figures === undefined) seen.delete(tokenId);
      else seen.set(tokenId, { figures, at });
    },
    /** Ends a round: waiting calls check again, and do not wait while rounds fail. */
    ended(hasFailed: boolean) {
      isFailing = hasFailed;
      for (const tokenId of seen.keys()) if (fresh(tokenId) === undefined) seen.delete(tokenId);
      rounds.notify();
    },
  };
}

export interface ObserverServices {
  readonly launches: LaunchFiguresNow;
}
