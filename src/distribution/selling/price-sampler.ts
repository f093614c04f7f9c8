/**
 * Samples the finalized prices of pools that will soon be sold into. Only the distributing process samples; after its restart
 * there is no reference for half an hour.
 */
import { type IssuedLaunch, judgePool } from '../../chain/venue/judge-launch.ts';
import type { Chain } from '../../kernel/ports/chain.ts';
import type { Logger } from '../../kernel/ports/logger.ts';
import type { Clock } from '../../kernel/runtime/clock.ts';
import { type PriceSample, priceReference, withSample } from './price-reference.ts';

const POOLS_PER_CALL = 100;
/** Milliseconds after the last request at which sampling of a pool ends. */
const WANTED_FOR = 5 * 60_000;
/** Maximum number of watched pools: 50 calls a round, and about 60 MB of samples. */
const MAX_POOLS = 5_000;
/** Milliseconds within which the finalized slot must advance. */
const SLOT_MOVES_WITHIN = 60_000;

export type SalePrices = Pick<ReturnType<typeof createPriceSampler>, 'want' | 'of'>;

interface PriceSamplerOptions {
  readonly chain: Pick<Chain, 'accountsAt'>;
  readonly clock: Clock;
  /** The token's launch, once it is final; undefined if it has none. */
  readonly launchOf: (mint: string) => Promise<IssuedLaunch | undefined>;
  readonly logger: Logger;
}

interface WatchedPool {
  sampledUntil: number;
  launch: IssuedLaunch | undefined;
  samples: readonly PriceSample[];
}

export function createPriceSampler(options: PriceSamplerOptions) {
  const { chain, clock, launchOf, logger } = options;
  const watched = new Map<string, WatchedPool>();
  let isFull = false;
  let sampled = 0;
  const now = () => clock.now().getTime();
  const samplePage = createPageSampler(chain, now);

  /** Samples the token's pool for some minutes, before and during its sale. */
  function want(mint: string): void {
    const sampledUntil = now() + WANTED_FOR;
    const found = watched.get(mint);
    if (found !== undefined) found.sampledUntil = sampledUntil;
    else if (watched.size < MAX_POOLS) watched.set(mint, { sampledUntil, launch: undefined, samples: [] });
    else {
      if (!isFull)
        logger.warn({ most: MAX_POOLS }, 'pool limit reached; prices of further pools are not sampled');
      isFull = true;
    }
  }

  /** Performs one round. Rejects if the node does not respond, or its finality does not advance. */
  async function sample(): Promise<void> {
    for (const [mint, pool] of watched) {
      if (pool.sampledUntil < now()) watched.delete(mint);
      else pool.launch ??= await launchOf(mint);
      // A token without a pool has no market price.
      if (pool.launch === undefined) watched.delete(mint);
    }
    if (watched.size < MAX_POOLS) isFull = false;
    const pools = [...watched.values()];
    for (let from = 0; from < pools.length; from += POOLS_PER_CALL)
      await samplePage(pools.slice(from, from + POOLS_PER_CALL));
    sampled = pools.length;
  }

  return {
    want,
    /** Undefined if there are too few samples, or no recent sample. */
    of: (mint: string) => priceReference(watched.get(mint)?.samples ?? [], now()),
    sample,
    /** Number of pools sampled in the last round. */
    pools: () => sampled,
  };
}

/** Samples up to `POOLS_PER_CALL` pools; throws if the node's finality does not advance. */
function createPageSampler(
  chain: PriceSamplerOptions['chain'],
  now: () => number,
): (pools: readonly WatchedPool[]) => Promise<void> {
  let newest = { slot: -1n, at: 0 };
  return async (pools) => {
    // Time before the read, because the sample may be as old as the request.
    const at = now();
    const addresses = pools.flatMap(({ launch }) => (launch === undefined ? [] : [launch.poolAddress]));
    const { slot, accounts } = await chain.accountsAt(addresses, 'finalized');
    if (slot > newest.slot) newest = { slot, at };
    else if (at - newest.at > SLOT_MOVES_WITHIN)
      throw new Error(`the node's finalized slot has stayed at ${newest.slot} for ${at - newest.at} ms`);
    for (const [index, pool] of pools.entries()) {
      const shown = pool.launch && judgePool(pool.launch, accounts[index]);
      if (shown !== undefined)
        pool.samples = withSample(pool.samples, { at, slot, sqrtPrice: shown.sqrtPrice });
    }
  };
}
