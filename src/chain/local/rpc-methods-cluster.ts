/** Methods about the cluster itself: slots, blockhashes, epochs, versions. */
import { base58 } from './bytes.ts';
import { BLOCKHASH_LIFETIME, SLOTS_PER_EPOCH } from './clock.ts';
import { API_VERSION, type Methods, withContext } from './rpc-context.ts';
import { blockNotAvailable } from './rpc-error.ts';
import { addressBytes, commitmentOf, configAt, stringList, wholeNumber } from './rpc-params.ts';

const MAXIMUM_LOCKS = 128;

export const clusterMethods: Methods = {
  getHealth: () => 'ok',

  getVersion: () => ({ 'feature-set': 0, 'solana-core': API_VERSION }),

  getGenesisHash: (chain) => base58(chain.ledger.genesis.hash),

  getIdentity: (chain) => ({ identity: base58(chain.faucet.address) }),

  getFirstAvailableBlock: () => 0,

  getTransactionCount: (chain) => chain.ledger.transactionCount,

  getSlot: (chain, params) => chain.clock.slot(commitmentOf(configAt(params, 0))),

  getBlockHeight: (chain, params) => chain.clock.slot(commitmentOf(configAt(params, 0))),

  getBlockTime(chain, params) {
    const slot = wholeNumber(params[0], 'slot');
    if (slot > chain.clock.slot()) throw blockNotAvailable(slot);
    return chain.clock.blockTime(slot);
  },

  getEpochInfo(chain, params) {
    const slot = chain.clock.slot(commitmentOf(configAt(params, 0)));
    return {
      absoluteSlot: slot,
      blockHeight: slot,
      epoch: Math.floor(slot / SLOTS_PER_EPOCH),
      slotIndex: slot % SLOTS_PER_EPOCH,
      slotsInEpoch: SLOTS_PER_EPOCH,
      transactionCount: chain.ledger.transactionCount,
    };
  },

  getEpochSchedule: () => ({
    slotsPerEpoch: SLOTS_PER_EPOCH,
    leaderScheduleSlotOffset: SLOTS_PER_EPOCH,
    warmup: false,
    firstNormalEpoch: 0,
    firstNormalSlot: 0,
  }),

  getLatestBlockhash(chain, params) {
    const commitment = commitmentOf(configAt(params, 0));
    const slot = chain.clock.slot(commitment);
    const value = {
      blockhash: chain.clock.blockhashText(slot),
      lastValidBlockHeight: slot + BLOCKHASH_LIFETIME,
    };
    return withContext(chain, value, commitment);
  },

  isBlockhashValid(chain, params) {
    const blockhash = addressBytes(params[0]);
    const commitment = commitmentOf(configAt(params, 1));
    // Seen from the block of that commitment: a newer blockhash is not known there yet, as on a cluster.
    const slot = chain.clock.slot(commitment);
    const valid = chain.clock.slotOfBlockhash(blockhash, slot) !== undefined;
    return withContext(chain, valid, commitment);
  },

  getRecentPrioritizationFees(chain, params) {
    stringList(params[0] ?? [], MAXIMUM_LOCKS).map(addressBytes);
    const newest = chain.clock.slot();
    const oldest = Math.max(0, newest - BLOCKHASH_LIFETIME + 1);
    return Array.from({ length: newest - oldest + 1 }, (_, index) => ({
      slot: oldest + index,
      prioritizationFee: 0,
    }));
  },
};
