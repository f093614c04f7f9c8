/**
 * Chain that batches reads: requests of one event-loop turn become one call, and the rent per byte is cached for a minute.
 * Except for rents, every result is from a call that began after the request.
 */
import DataLoader from 'dataloader';
import { rentOf } from 'levy-solana-wire';
import { LRUCache } from 'lru-cache';
import { type Chain, ChainAnswerInvalid, type Commitment } from '../../kernel/ports/chain.ts';
import { type Clock, systemClock } from '../../kernel/runtime/clock.ts';
import { throttled } from '../../kernel/runtime/throttle.ts';
import { withMethods } from '../../kernel/runtime/wrap-calls.ts';

/** Cache lifetime in milliseconds; rents change at most once per epoch. */
const RENT_CACHED_FOR = 60_000;

export function joinReads(chain: Chain, clock: Clock = systemClock): Chain {
  const rentPerByte = throttled(
    RENT_CACHED_FOR,
    clock,
    async () => (await chain.rentExemption(0)) / rentOf(0, 1n),
  );
  const epochs = joined(async () => [await chain.epoch()]);
  const statuses = joined((signatures: readonly string[]) => chain.statuses(signatures));
  /** Loaders by commitment and minimum slot. */
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
    rentExemption: async (byteLength) => rentOf(byteLength, await rentPerByte()),
  });
}

/**
 * Batches the keys of one event-loop turn into one call. If a key makes the response invalid, each key is requested
 * separately.
 */
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
