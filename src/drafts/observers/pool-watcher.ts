/**
 * Watches the pools of launches that have not reached their target: keeps their latest figures in memory, and records
 * the first final price at or above the target. Reads final prices whatever the latest are: finality lags, and a
 * price that reached the target may have fallen again before it is final. Keeps nothing that the chain does not show.
 */

import { readPool } from '../../chain/venue/judge-launch.ts';
import { type LaunchFigures, launchFigures } from '../../chain/venue/launch-figures.ts';
import type { Chain, ChainAccount } from '../../kernel/ports/chain.ts';
import type { Logger } from '../../kernel/ports/logger.ts';
import type { ReadModel } from '../../kernel/ports/read-model.ts';
import type { Clock } from '../../kernel/runtime/clock.ts';
import { unlessUndecodable } from '../../kernel/runtime/event-reader.ts';
import { causeOf, type Executor } from '../../kernel/runtime/execute.ts';
import { type LaunchDocument, launches } from '../../projections/launches.ts';
import { LaunchCompleted, type LaunchEvent, type LaunchState, launch } from '../../streams/launch.ts';
import { launchBasisOf } from '../../streams/recorded-launch.ts';
import { createFiguresNow, type FiguresRound, type LaunchFiguresNow } from './figures-now.ts';

/** Launches per call to the chain. */
const POOLS_PER_CALL = 100;

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
  readonly logger: Logger;
  /** Every process that answers queries keeps figures; only one process at a time records reached targets. */
  readonly mayRecord: () => boolean;
}

export function createPoolWatcher(options: PoolWatcherOptions): PoolWatcher {
  const { executor, readModel, chain, clock, logger, mayRecord } = options;
  const kept = createFiguresNow(clock);
  /** Final prices are read in every second round, to save calls. */
  let finalIsDue = true;
  const unreadable = new Set<string>();

  async function refreshFigures(documents: readonly LaunchDocument[], round: FiguresRound): Promise<void> {
    // Before the call: the figures may be as old as the request.
    const at = clock.now().getTime();
    const accounts = await poolsOf(chain, documents, 'confirmed');
    documents.forEach((document, index) => {
      const figures = figuresIn(document, accounts[index]);
      tellOfUnreadable(document, figures === undefined);
      if (figures !== undefined) round.see(document.tokenId, figures, at);
    });
  }

  function tellOfUnreadable({ tokenId, launch: { poolAddress } }: LaunchDocument, isNow: boolean): void {
    if (isNow && !unreadable.has(tokenId)) logger.warn({ poolAddress }, 'a launched pool cannot be read');
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

  async function lookAtAll(): Promise<number> {
    const round = kept.begin();
    const looksAtFinal = finalIsDue;
    let active = 0;
    for (let after: string | undefined; ; ) {
      const documents = await readModel.find(launches, 'state', 'active', {
        limit: POOLS_PER_CALL,
        ...(after === undefined ? {} : { after }),
      });
      if (documents.length > 0) await refreshFigures(documents, round);
      if (documents.length > 0 && looksAtFinal && mayRecord()) await completeReached(documents);
      active += documents.length;
      after = documents.at(-1)?.tokenId;
      if (documents.length < POOLS_PER_CALL) break;
    }
    round.end();
    // Only now: after a round that failed, the next one makes up for it.
    finalIsDue = !looksAtFinal;
    return active;
  }

  return {
    figures: kept,
    async watch() {
      try {
        const active = await lookAtAll();
        kept.ended(false);
        return { active };
      } catch (error) {
        kept.ended(true);
        throw error;
      }
    },
  };
}

/** A launch is completed once, by the first final price that reached its target. */
export function decideCompletion(state: LaunchState, reached: Reached): readonly LaunchEvent[] {
  return state === undefined || state.isCompleted ? [] : [LaunchCompleted(reached)];
}

type Reached = Parameters<typeof LaunchCompleted>[0];

/** Undefined while the price of the pool is below the launch's target, or cannot be read. */
export function reachedIn(
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
