/**
 * A chain whose callers share their reads: what is asked in the same turn of the event loop becomes one call, and rents are
 * cached for a minute. Every answer is of a call that began after it was asked for, except rents.
 */
import DataLoader from 'dataloader';
import { LRUCache } from 'lru-cache';
import { type Chain, ChainAnswerInvalid, type Commitment } from '../../kernel/ports/chain.ts';
import { withMethods } from '../../kernel/runtime/around-calls.ts';

/** Milliseconds: rents change with an epoch, if at all. */
const RENT_CACHED_FOR = 60_000;
/** Texts of different lengths make accounts of different sizes. */
const MOST_RENTS = 1_000;

export function joinReads(chain: Chain, now: () => number = () => performance.now()): Chain {
  const rents = new LRUCache<number, bigint>({
    max: MOST_RENTS,
    ttl: RENT_CACHED_FOR,
    ttlResolution: 0,
    perf: { now },
    fetchMethod: (byteLength) => chain.rentExemption(byteLength),
    // One that is evicted while it is read still answers who asked.
    ignoreFetchAbort: true,
  });
  const epochs = joined(async () => [await chain.epoch()]);
  const statuses = joined((signatures: readonly string[]) => chain.statuses(signatures));
  /** A loader for each commitment and slot that is asked for in this turn. */
  const accounts = new LRUCache<string, ReturnType<typeof accountsAt>>({ max: 100 });

  function accountsAt(commitment: Commitment, atLeastSlot: bigint | undefined) {
    return joined((addresses: readonly string[]) =>
      chain.accounts(addresses, commitment, atLeastSlot === undefined ? {} : { atLeastSlot }),
    );
  }

  function loaderOf(commitment: Commitment, atLeastSlot?: bigint) {
    const name = `${commitment}/${atLeastSlot ?? ''}`;
    const loader = accounts.get(name) ?? accountsAt(commitment, atLeastSlot);
    accounts.set(name, loader);
    return loader;
  }

  return withMethods(chain, {
    accounts: (addresses, commitment, { atLeastSlot } = {}) => {
      const loader = loaderOf(commitment, atLeastSlot);
      return Promise.all(addresses.map((address) => loader.load(address)));
    },
    balance: async (address) => (await loaderOf('confirmed').load(address))?.lamports ?? 0n,
    statuses: (signatures) => Promise.all(signatures.map((signature) => statuses.load(signature))),
    epoch: () => epochs.load(''),
    rentExemption: async (byteLength) => (await rents.fetch(byteLength)) ?? chain.rentExemption(byteLength),
  });
}

/** One call for all keys of the same turn, each of them once. A call that one key spoils is made again for each key alone. */
function joined<Answer>(
  ask: (keys: readonly string[]) => Promise<readonly Answer[]>,
): DataLoader<string, Answer> {
  const loader = new DataLoader<string, Answer>(
    async (keys) => {
      loader.clearAll();
      try {
        return await ask(keys);
      } catch (error) {
        if (!(error instanceof ChainAnswerInvalid) || keys.length === 1) throw error;
        return Promise.all(
          keys.map((key) =>
            ask([key]).then(
              ([answer]) => answer as Answer,
              (problem: Error) => problem,
            ),
          ),
        );
      }
    },
    { batchScheduleFn: (dispatch) => void setImmediate(dispatch) },
  );
  return loader;
}
