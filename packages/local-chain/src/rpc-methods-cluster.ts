/** Methods about the cluster: slots, blockhashes, epochs, versions. */
import { base58 } from 'levy-solana-wire';
import type { Chain } from './chain.ts';
import { BLOCKHASH_LIFETIME, epochOf, SLOTS_PER_EPOCH } from './clock.ts';
import type { Json } from './json.ts';
import { API_VERSION, type Methods, reachedSlot, requireBlock, withContext } from './rpc-context.ts';
import { addressBytes, configAt, stringList, wholeNumber } from './rpc-params.ts';

const MAXIMUM_LOCKS = 128;
/** Seconds per sample of a cluster. */
const SAMPLE_SECONDS = 60;

export const clusterMethods: Methods = {
  getHealth: () => 'ok',

  getVersion: () => ({ 'feature-set': 0, 'solana-core': API_VERSION }),

  getGenesisHash: (chain) => base58(chain.ledger.genesis.hash),

  getIdentity: (chain) => ({ identity: base58(chain.faucet.address) }),

  getSlotLeader: (chain) => base58(chain.faucet.address),

  getFirstAvailableBlock: () => 0,

  getTransactionCount: (chain, params) =>
    chain.ledger.transactionCount(reachedSlot(chain, configAt(params, 0))),

  getSlot: (chain, params) => reachedSlot(chain, configAt(params, 0)),

  getBlockHeight: (chain, params) => chain.clock.height(reachedSlot(chain, configAt(params, 0))),

  getBlockTime(chain, params) {
    const slot = wholeNumber(params[0], 'slot');
    requireBlock(chain, slot, chain.clock.slot());
    return chain.clock.blockTime(slot);
  },

  getEpochInfo: (chain, params) => epochInfo(chain, reachedSlot(chain, configAt(params, 0))),

  getEpochSchedule: () => ({
    slotsPerEpoch: SLOTS_PER_EPOCH,
    leaderScheduleSlotOffset: SLOTS_PER_EPOCH,
    warmup: false,
    firstNormalEpoch: 0,
    firstNormalSlot: 0,
  }),

  getLatestBlockhash(chain, params) {
    const slot = reachedSlot(chain, configAt(params, 0));
    const value = {
      blockhash: chain.clock.blockhashText(slot),
      lastValidBlockHeight: chain.clock.lastValidHeight(slot),
    };
    return withContext(slot, value);
  },

  isBlockhashValid(chain, params) {
    const blockhash = addressBytes(params[0]);
    // Checked as of the block of that commitment, which does not include later blockhashes, as on a cluster.
    const slot = reachedSlot(chain, configAt(params, 1));
    const valid = chain.clock.slotOfBlockhash(blockhash, slot) !== undefined;
    return withContext(slot, valid);
  },

  /** Returns one sample: all slots of this chain are equally long. */
  getRecentPerformanceSamples(chain) {
    const numSlots = Math.round((SAMPLE_SECONDS * 1_000) / chain.clock.slotMilliseconds());
    if (numSlots === 0) return [];
    const slot = chain.clock.slot();
    const sample = { numTransactions: 0, numNonVoteTransactions: 0, samplePeriodSecs: SAMPLE_SECONDS };
    return [{ slot, numSlots, ...sample }];
  },

  getRecentPrioritizationFees(chain, params) {
    stringList(params[0] ?? [], MAXIMUM_LOCKS).map(addressBytes);
    const newest = chain.clock.height(chain.clock.slot());
    const oldest = Math.max(0, newest - BLOCKHASH_LIFETIME + 1);
    return Array.from({ length: newest - oldest + 1 }, (_, index) => ({
      slot: chain.clock.slotOfHeight(oldest + index),
      prioritizationFee: 0,
    }));
  },
};

/** Response of getEpochInfo as of a slot. */
export function epochInfo({ clock, ledger }: Chain, slot: number): Json {
  return {
    absoluteSlot: slot,
    blockHeight: clock.height(slot),
    epoch: epochOf(slot),
    slotIndex: slot % SLOTS_PER_EPOCH,
    slotsInEpoch: SLOTS_PER_EPOCH,
    transactionCount: ledger.transactionCount(slot),
  };
}
