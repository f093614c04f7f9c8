/**
 * Samples the final prices of the pools that tokens will soon be sold into, and keeps the window's samples over a restart in
 * a file of the ledger store. One process samples, the one that distributes. A file that another key has written, or that
 * does not decode, counts as none: then it takes half an hour until there is a reference again.
 */
import { type IssuedLaunch, judgePool } from '../../chain/venue/judge-launch.ts';
import type { BlobStore } from '../../kernel/ports/blob-store.ts';
import type { Chain } from '../../kernel/ports/chain.ts';
import type { Logger } from '../../kernel/ports/logger.ts';
import type { Clock } from '../../kernel/runtime/clock.ts';
import {
  type PriceReference,
  type PriceSample,
  priceReference,
  REFERENCE_WINDOW,
  withSample,
} from './price-reference.ts';
import { PRICES_FILE, readPrices, writtenPrices } from './prices-file.ts';

const POOLS_PER_CALL = 100;
/** Milliseconds that a token is watched after it was last wanted. */
const WANTED_FOR = 5 * 60_000;
/** Pools watched at a time: 50 calls a round, and some 60 MB of samples. */
const MOST_POOLS = 5_000;
/** Milliseconds between two writes of the file; longer where it is large. */
const SAVE_PAUSE = 60_000;
const BYTES_A_MILLISECOND = 50;
/** Milliseconds in which finality must have moved on. */
const SLOT_MOVES_WITHIN = 60_000;

export interface SalePrices {
  /** Its pool will be sold into within the window, or is to be sold into now: it is sampled for some minutes. */
  want(mint: string): void;
  /** Undefined where there are too few samples, or none of now. */
  of(mint: string): PriceReference | undefined;
}

export interface PriceSampler extends SalePrices {
  /** One round. Rejects where the node does not answer, or its finality does not advance. */
  sample(): Promise<void>;
  /** How many pools were sampled in the last round. */
  pools(): number;
}

export interface PriceSamplerOptions {
  readonly chain: Pick<Chain, 'accountsAt'>;
  readonly clock: Clock;
  readonly blobs: Pick<BlobStore, 'getFile' | 'putFile'>;
  /** The token's launch, once it is final; undefined if it has none. */
  readonly launchOf: (mint: string) => Promise<IssuedLaunch | undefined>;
  /** Authenticates the file. */
  readonly secret: Uint8Array;
  readonly logger: Logger;
}

interface WatchedPool {
  wantedUntil: number;
  launch: IssuedLaunch | undefined;
  samples: readonly PriceSample[];
}

export function createPriceSampler(options: PriceSamplerOptions): PriceSampler {
  const { chain, clock, blobs, launchOf, secret, logger } = options;
  const watched = new Map<string, WatchedPool>();
  let isRead = false;
  let isFull = false;
  let nextSave = 0;
  let sampled = 0;
  const now = () => clock.now().getTime();
  const samplePage = createPageSampler(chain, now);

  function want(mint: string): void {
    const wantedUntil = now() + WANTED_FOR;
    const found = watched.get(mint);
    if (found !== undefined) found.wantedUntil = wantedUntil;
    else if (watched.size < MOST_POOLS) watched.set(mint, { wantedUntil, launch: undefined, samples: [] });
    else {
      if (!isFull) logger.warn({ most: MOST_POOLS }, 'more pools are due than are watched');
      isFull = true;
    }
  }

  async function sample(): Promise<void> {
    if (!isRead) await read();
    for (const [mint, pool] of watched) {
      if (pool.wantedUntil < now()) watched.delete(mint);
      else pool.launch ??= await launchOf(mint);
      // Without a pool it is not sold at a market's price.
      if (pool.launch === undefined) watched.delete(mint);
    }
    if (watched.size < MOST_POOLS) isFull = false;
    const pools = [...watched.values()];
    for (let from = 0; from < pools.length; from += POOLS_PER_CALL)
      await samplePage(pools.slice(from, from + POOLS_PER_CALL));
    sampled = pools.length;
    if (pools.length > 0 && now() >= nextSave) await save();
  }

  async function save(): Promise<void> {
    const written = writtenPrices(watched, secret);
    await blobs.putFile(PRICES_FILE, written);
    nextSave = now() + Math.max(SAVE_PAUSE, written.length / BYTES_A_MILLISECOND);
  }

  /** Reads what was sampled before a restart. Samples of tokens that nobody asks for any more go after a few rounds. */
  async function read(): Promise<void> {
    const bytes = await blobs.getFile(PRICES_FILE);
    isRead = true;
    const saved = bytes === undefined ? [] : readPrices(bytes, secret);
    if (saved === undefined) {
      logger.warn({ name: PRICES_FILE }, 'price samples ignored: damaged or of another seed');
      return;
    }
    for (const { mint, samples } of saved.slice(0, MOST_POOLS)) {
      const known = watched.get(mint);
      watched.set(mint, {
        wantedUntil: known?.wantedUntil ?? now() + WANTED_FOR,
        launch: known?.launch,
        samples: samples.filter(({ at }) => at <= now() && now() - at < REFERENCE_WINDOW),
      });
    }
  }

  return {
    want,
    of: (mint) => priceReference(watched.get(mint)?.samples ?? [], now()),
    sample,
    pools: () => sampled,
  };
}

/** Samples up to `POOLS_PER_CALL` pools; throws where the node's finality does not advance. */
function createPageSampler(
  chain: PriceSamplerOptions['chain'],
  now: () => number,
): (pools: readonly WatchedPool[]) => Promise<void> {
  let newest = { slot: -1n, at: 0 };
  return async (pools) => {
    // From before the read: a sample may be as old as its request.
    const at = now();
    const addresses = pools.flatMap(({ launch }) => (launch === undefined ? [] : [launch.poolAddress]));
    const { slot, accounts } = await chain.accountsAt(addresses, 'finalized');
    if (slot > newest.slot) newest = { slot, at };
    else if (at - newest.at > SLOT_MOVES_WITHIN)
      throw new Error(`the node's final slot has not moved on from ${newest.slot} for ${at - newest.at} ms`);
    for (const [index, pool] of pools.entries()) {
      if (pool.launch === undefined) continue;
      const verdict = judgePool(pool.launch, accounts[index]);
      if (verdict.kind !== 'landed') continue;
      pool.samples = withSample(pool.samples, { at, slot, sqrtPrice: verdict.pool.sqrtPrice });
    }
  };
}
